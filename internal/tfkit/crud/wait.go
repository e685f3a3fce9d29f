package crud

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Wait waits after a create until the object is as it has to be, where the
// configuration asks for it. A resource has timeouts only where it waits.
type Wait[W any] struct {
	// Attribute is the attribute that asks for it ("wait_for_ready"), Default
	// its default, Description its Markdown.
	Attribute   string
	Default     bool
	Description string
	// Timeout is the default of timeouts.create.
	Timeout time.Duration
	// UpdateTimeout is the default of timeouts.update: updates wait as well. 0 is
	// no wait.
	UpdateTimeout time.Duration
	// DeleteTimeout is the default of timeouts.delete, which bounds a delete that
	// waits by itself. 0 is no such attribute.
	DeleteTimeout time.Duration
	// Done reports whether the wait is over, and describes the state for the
	// message of one that ran out of time.
	Done func(*W) (done bool, state string)
}

// Of the attribute with the time limits.
const (
	attrTimeouts = "timeouts"
	attrCreate   = "create"
	attrUpdate   = "update"
	attrDelete   = "delete"
)

// pace is the time between two looks.
var pace = wait.Pace{First: 50 * time.Millisecond, Longest: time.Second}

// attributes are the rows that a wait adds.
func (w *Wait[W]) attributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: w.Attribute, Type: definition.Bool, Presence: definition.Optional, Default: w.Default, Local: true, Description: w.Description},
		{
			Name: attrTimeouts, Type: definition.Object, Presence: definition.Nullable, Local: true, Description: "How long to wait.",
			Attributes: w.limits(),
		},
	}
}

// limits are the attributes for the time limits.
func (w *Wait[W]) limits() []definition.Attribute {
	row := func(name, what string, fallback time.Duration) definition.Attribute {
		return definition.Attribute{
			Name: name, Type: definition.Text, Presence: definition.Nullable, SemanticEquality: definition.Duration,
			Description: fmt.Sprintf("For %s, a duration such as `30s` or `5m`. Default `%s`.", what, fallback),
		}
	}
	rows := []definition.Attribute{row(attrCreate, "the wait after a create", w.Timeout)}
	if w.UpdateTimeout > 0 {
		rows = append(rows, row(attrUpdate, "the wait after an update", w.UpdateTimeout))
	}
	if w.DeleteTimeout > 0 {
		rows = append(rows, row(attrDelete, "a delete", w.DeleteTimeout))
	}
	return rows
}

// validate checks the timeouts.
func (w *Wait[W]) validate(config definition.Value) (diags diag.Diagnostics) {
	for _, limit := range w.limits() {
		text := limitText(config, limit.Name)
		if d, err := time.ParseDuration(text); text != "" && (err != nil || d <= 0) {
			diags.AddAttributeError(path.Root(attrTimeouts), "Invalid timeout",
				fmt.Sprintf("%s.%s is %q; give a duration above zero with its unit, such as \"30s\" or \"5m\".", attrTimeouts, limit.Name, text))
		}
	}
	return diags
}

func limitText(value definition.Value, name string) string {
	return definition.TextOf(definition.FieldsOf(definition.FieldsOf(value)[attrTimeouts])[name])
}

// limit is a time limit, or its default.
func limit(value definition.Value, name string, fallback time.Duration) time.Duration {
	if d, err := time.ParseDuration(limitText(value, name)); err == nil && d > 0 {
		return d
	}
	return fallback
}

// change is one that is waited for.
type change struct {
	limit    string
	fallback time.Duration
	// did is what was done, and next what becomes of the object if the wait fails.
	did, next string
}

func (w *Wait[W]) create() change {
	return change{attrCreate, w.Timeout, "created", "It is kept in the state and marked as tainted: the next apply replaces it. If it gets there meanwhile, run terraform untaint to keep it."}
}

func (w *Wait[W]) update() change {
	return change{attrUpdate, w.UpdateTimeout, "updated", "The server has the new values, and they are saved."}
}

// wait waits for an object that is in the state already, and saves what it has
// become.
func (r *Resource[W]) wait(ctx context.Context, id ID, what change, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) {
	o := r.object
	if !definition.BoolOf(definition.FieldsOf(planned)[o.Wait.Attribute]) {
		return
	}
	timeout := limit(planned, what.limit, what.fallback)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	query := func(ctx context.Context) (*W, error) { return o.API(r.clients).Query(ctx, id) }
	last, err := o.Wait.WaitDone(ctx, query)
	summary := clients.Capitalize(o.named(id)) + " was " + what.did
	switch {
	case err == nil:
		r.readBack(ctx, id, planned, desired, state, diags)
	case ctx.Err() == nil:
		clients.AddError(diags, summary+", and the wait for it failed", fmt.Errorf("%w\n\n%s", err, what.next))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		diags.AddError(summary+" and is not ready", fmt.Sprintf("It did not come so far within %s. Last seen: %s.\n\n%s Set %s = false not to wait, or %s.%s to wait longer.",
			timeout, last, what.next, o.Wait.Attribute, attrTimeouts, what.limit))
	default:
		diags.AddError(summary+" and is not ready", fmt.Sprintf("The wait was interrupted. Last seen: %s.\n\n%s", last, what.next))
	}
}

// WaitDone asks for the object until it is done; one that is not found may still
// come. last describes what was seen last, for the message of a wait that ended
// with the context.
func (w *Wait[W]) WaitDone(ctx context.Context, query func(context.Context) (*W, error)) (last string, err error) {
	last = "nothing is known"
	err = wait.Poll(ctx, pace, func(ctx context.Context) (done bool, err error) {
		found, err := query(ctx)
		if err == nil {
			done, last = w.Done(found)
			return done, nil
		}
		if ctx.Err() == nil {
			last = err.Error()
		}
		if errors.Is(err, apierror.ErrNotFound) {
			return false, nil
		}
		return false, err
	})
	return last, err //nolint:wrapcheck // it is what the query says, or that the context has ended
}
