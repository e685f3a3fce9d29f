package crud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Wait waits after a create until the object is ready, if the configuration
// enables it. Only resources with a Wait have timeouts.
type Wait[W any] struct {
	// Attribute is the name of the attribute that enables the wait
	// ("wait_for_ready"), Default its default, and Description its description
	// in Markdown.
	Attribute   string
	Default     bool
	Description string
	// Timeouts are the default time limits: of the wait after a create, of the
	// wait after an update, and of a delete, for an API whose delete call waits.
	// With 0, there is no wait.
	Timeouts definition.Timeouts
	// Done reports whether the object is ready, and describes its state for the
	// error of a wait that times out.
	Done func(*W) (done bool, state string)
	// For is what a wait that times out has waited for, as a sentence, or "".
	For string
	// Failure returns why the object will not become ready without a change, "" as long
	// as it may. It ends the wait. It may be nil.
	Failure func(*W) string
}

// pace is the poll interval.
var pace = wait.Interval{First: 50 * time.Millisecond, Longest: time.Second}

// attribute returns the attribute that enables the wait.
func (w *Wait[W]) attribute() definition.Attribute {
	return definition.Attribute{Name: w.Attribute, Type: definition.Bool, Presence: definition.Optional, Default: w.Default, Local: true, Description: w.Description}
}

// change is a create or update with a wait.
type change struct {
	operation definition.Operation
	// did is the completed operation, and next the consequence if the wait
	// fails.
	did, next string
	// unfinished is the consequence if a wait for a rollout fails, with the title of the object.
	unfinished string
}

// after is the consequence of a wait for a rollout that failed.
func (c change) after(title string, err error) string {
	if wait.IsDeleted(err) {
		return "The next plan creates it again."
	}
	return fmt.Sprintf(c.unfinished, title)
}

var (
	createdObject = change{
		definition.OnCreate, "created",
		"It is kept in the state and marked as tainted: the next apply replaces it. If it becomes ready in the meantime, run terraform untaint to keep it.",
		"The %s is kept in the state and marked as tainted: the next apply replaces it. If it runs in the meantime, terraform untaint keeps it.",
	}
	updated = change{
		definition.OnUpdate, "updated",
		"The server has the new values, and they are saved. Each plan warns until it is ready.",
		"The new specification is stored, and in the state. Nothing is rolled back. As long as the %s does not run, rollout_complete is false: the next plan shows that, and its apply waits again.",
	}
	resumed = change{
		operation:  definition.OnUpdate,
		unfinished: "Nothing was sent: the configured values are stored already. As long as the %s does not run, rollout_complete is false: the next plan shows that, and its apply waits again.",
	}
)

// waitsAfterUpdate reports whether an update may wait.
func (o *Object[W]) waitsAfterUpdate() bool { return o.Wait != nil && o.Wait.Timeouts.Update > 0 }

// addUnready adds a warning about an object that is not ready since an update whose
// wait has failed, and reports whether it has added one.
func (o *Object[W]) addUnready(diags *diag.Diagnostics, id ID, state definition.Value, found *W) bool {
	if o.Wait == nil || !definition.BoolOf(definition.FieldsOf(state)[o.Wait.Attribute]) {
		return false
	}
	done, last := o.Wait.Done(found)
	if !done {
		diags.AddWarning(clients.Capitalize(o.Title)+" is not ready", fmt.Sprintf(
			"The last update of %s ended before it was ready. %s has the values of the state. Last seen: %s.", o.named(id), clients.Capitalize(o.Server.Name), last))
	}
	return !done
}

// wait waits for an object that is already in the state, and saves its final
// values.
func (r *Resource[W]) wait(ctx context.Context, id ID, what change, planned, desired definition.Value, state *tfsdk.State, private privatestate.Setter, diags *diag.Diagnostics) {
	o := r.object
	if !definition.BoolOf(definition.FieldsOf(planned)[o.Wait.Attribute]) {
		return
	}
	timeout := o.Definition.Timeout(planned, what.operation)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	query := func(ctx context.Context) (*W, error) { return o.api(r.Clients, planned).Query(ctx, id) }
	last, err := o.Wait.WaitDone(ctx, query)
	summary := clients.Capitalize(o.Title) + " was " + what.did
	switch {
	case err == nil:
		r.readBack(ctx, Watched[W]{ID: id, Planned: planned, Desired: desired}, state, private, diags)
	case ctx.Err() == nil:
		clients.AddError(diags, summary+" but the wait failed", fmt.Errorf("%w\n\n%s", err, what.next))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		diags.AddError(summary+" but is not ready", fmt.Sprintf("%s was not ready within %s. Last seen: %s.\n\n%s Set %s = false to skip the wait, or increase %s.%s to wait longer.",
			clients.Capitalize(o.named(id)), timeout, last, join(o.Wait.For, what.next), o.Wait.Attribute, definition.AttrTimeouts, what.operation))
	default:
		diags.AddError(summary+" but the wait was cancelled", fmt.Sprintf("It is not known whether %s becomes ready. Last seen: %s.\n\n%s", o.named(id), last, what.next))
	}
}

// WaitDone polls the object until it is done. An object that does not exist may
// be created later. last describes the last response, for the error of a wait
// that ends with the context.
func (w *Wait[W]) WaitDone(ctx context.Context, query func(context.Context) (*W, error)) (last string, err error) {
	last = "no status yet"
	var failed error
	err = wait.Poll(ctx, pace, func(ctx context.Context) (done bool, err error) {
		found, err := query(ctx)
		if err == nil {
			done, last = w.Done(found)
			failed = w.failure(found)
			return done || failed != nil, nil
		}
		if ctx.Err() == nil {
			last = err.Error()
		}
		if errors.Is(err, apierror.ErrNotFound) {
			return false, nil
		}
		return false, err
	})
	return last, cmp.Or(err, failed) //nolint:wrapcheck // the error of query, of the context or of the object
}

func (w *Wait[W]) failure(found *W) error {
	if w.Failure == nil {
		return nil
	}
	if why := w.Failure(found); why != "" {
		return errors.New(why)
	}
	return nil
}
