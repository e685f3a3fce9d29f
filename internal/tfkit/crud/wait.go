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

// Wait waits after a create until the object is ready, if the configuration
// enables it. Only resources with a Wait have timeouts.
type Wait[W any] struct {
	// Attribute is the name of the attribute that enables the wait
	// ("wait_for_ready"), Default its default, and Description its description
	// in Markdown.
	Attribute   string
	Default     bool
	Description string
	// Timeout is the default of timeouts.create.
	Timeout time.Duration
	// UpdateTimeout is the default of timeouts.update. With 0, updates do not
	// wait.
	UpdateTimeout time.Duration
	// DeleteTimeout is the default of timeouts.delete, for an API whose delete
	// call waits. With 0, there is no such attribute.
	DeleteTimeout time.Duration
	// Done reports whether the object is ready, and describes its state for the
	// error of a wait that times out.
	Done func(*W) (done bool, state string)
}

// Names of the timeouts attribute and its nested attributes.
const (
	attrTimeouts = "timeouts"
	attrCreate   = "create"
	attrUpdate   = "update"
	attrDelete   = "delete"
)

// pace is the poll interval.
var pace = wait.Pace{First: 50 * time.Millisecond, Longest: time.Second}

// attributes returns the attributes that a Wait adds to the schema.
func (w *Wait[W]) attributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: w.Attribute, Type: definition.Bool, Presence: definition.Optional, Default: w.Default, Local: true, Description: w.Description},
		{
			Name: attrTimeouts, Type: definition.Object, Presence: definition.Nullable, Local: true, Description: "How long to wait.",
			Attributes: w.limits(),
		},
	}
}

// limits returns the attributes for the timeouts.
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

// validate validates the timeouts.
func (w *Wait[W]) validate(config definition.Value) (diags diag.Diagnostics) {
	for _, limit := range w.limits() {
		text := limitText(config, limit.Name)
		if d, err := time.ParseDuration(text); text != "" && (err != nil || d <= 0) {
			diags.AddAttributeError(path.Root(attrTimeouts), "Invalid timeout",
				fmt.Sprintf("%s.%s is %q; use a positive duration with its unit, such as \"30s\" or \"5m\".", attrTimeouts, limit.Name, text))
		}
	}
	return diags
}

func limitText(value definition.Value, name string) string {
	return definition.TextOf(definition.FieldsOf(definition.FieldsOf(value)[attrTimeouts])[name])
}

// limit returns a configured timeout, or its default.
func limit(value definition.Value, name string, fallback time.Duration) time.Duration {
	if d, err := time.ParseDuration(limitText(value, name)); err == nil && d > 0 {
		return d
	}
	return fallback
}

// change is a create or update with a wait.
type change struct {
	limit    string
	fallback time.Duration
	// did is the completed operation, and next the consequence if the wait
	// fails.
	did, next string
}

func (w *Wait[W]) create() change {
	return change{attrCreate, w.Timeout, "created", "It is kept in the state and marked as tainted: the next apply replaces it. If it becomes ready in the meantime, run terraform untaint to keep it."}
}

func (w *Wait[W]) update() change {
	return change{attrUpdate, w.UpdateTimeout, "updated", "The server has the new values, and they are saved."}
}

// wait waits for an object that is already in the state, and saves its final
// values.
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
		clients.AddError(diags, summary+", but the wait for it failed", fmt.Errorf("%w\n\n%s", err, what.next))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		diags.AddError(summary+" but is not ready", fmt.Sprintf("It was not ready within %s. Last seen: %s.\n\n%s Set %s = false not to wait, or %s.%s to wait longer.",
			timeout, last, what.next, o.Wait.Attribute, attrTimeouts, what.limit))
	default:
		diags.AddError(summary+" but is not ready", fmt.Sprintf("The wait was interrupted. Last seen: %s.\n\n%s", last, what.next))
	}
}

// WaitDone polls the object until it is done. An object that does not exist may
// be created later. last describes the last response, for the error of a wait
// that ends with the context.
func (w *Wait[W]) WaitDone(ctx context.Context, query func(context.Context) (*W, error)) (last string, err error) {
	last = "no status yet"
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
	return last, err //nolint:wrapcheck // the error of query or of the context
}
