package crud

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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
	// Done reports whether the wait is over, and describes the state for the
	// message of one that ran out of time.
	Done func(*W) (done bool, state string)
}

const (
	attrTimeouts = "timeouts"
	attrCreate   = "create"
	// The pause between two looks grows from the first to the last of these.
	firstWaitPause = 50 * time.Millisecond
	lastWaitPause  = time.Second
)

// attributes are the rows that a wait adds.
func (w *Wait[W]) attributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: w.Attribute, Type: definition.Bool, Presence: definition.Optional, Default: w.Default, Local: true, Description: w.Description},
		{
			Name: attrTimeouts, Type: definition.Object, Presence: definition.Nullable, Local: true, Description: "How long to wait.",
			Attributes: []definition.Attribute{{
				Name: attrCreate, Type: definition.Text, Presence: definition.Nullable, Meaning: definition.Duration,
				Description: fmt.Sprintf("For the wait after a create, a duration such as `30s` or `5m`. Default `%s`.", w.Timeout),
			}},
		},
	}
}

// validate checks the timeouts.
func (w *Wait[W]) validate(config definition.Value) (diags diag.Diagnostics) {
	text := createTimeout(config)
	if d, err := time.ParseDuration(text); text != "" && (err != nil || d <= 0) {
		diags.AddAttributeError(path.Root(attrTimeouts), "Invalid timeout",
			fmt.Sprintf("%s.%s is %q; give a duration above zero with its unit, such as \"30s\" or \"5m\".", attrTimeouts, attrCreate, text))
	}
	return diags
}

func createTimeout(value definition.Value) string {
	return definition.TextOf(definition.FieldsOf(definition.FieldsOf(value)[attrTimeouts])[attrCreate])
}

// wait waits for a new object that is in the state already, and saves what it
// has become.
func (r *Resource[W]) wait(ctx context.Context, id ID, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) {
	o := r.object
	if !definition.BoolOf(definition.FieldsOf(planned)[o.Wait.Attribute]) {
		return
	}
	timeout := o.Wait.Timeout
	if d, err := time.ParseDuration(createTimeout(planned)); err == nil {
		timeout = d
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	query := func(ctx context.Context) (*W, error) { return o.API(r.clients).Query(ctx, id) }
	last, err := o.Wait.WaitDone(ctx, query)
	switch {
	case err == nil:
		r.readBack(ctx, id, planned, desired, state, diags)
	case ctx.Err() == nil:
		clients.AddError(diags, fmt.Sprintf("%s was created, and the wait for it failed", capitalised(o.named(id))), err)
	default:
		diags.AddError(fmt.Sprintf("%s was created and is not ready", capitalised(o.named(id))),
			fmt.Sprintf("It did not come so far within %s. Last seen: %s.\n\nIt is kept in the state and marked as tainted: the next apply replaces it. If it gets there meanwhile, run terraform untaint to keep it; set %s = false not to wait, or %s.%s to wait longer.",
				timeout, last, o.Wait.Attribute, attrTimeouts, attrCreate))
	}
}

// WaitDone asks for the object until it is done. last describes what was seen
// last, for the message of a wait that ran out of time.
func (w *Wait[W]) WaitDone(ctx context.Context, query func(context.Context) (*W, error)) (last string, err error) {
	last = "nothing is known"
	for pause := firstWaitPause; ; pause = min(2*pause, lastWaitPause) {
		found, err := query(ctx)
		switch {
		case err == nil:
			var done bool
			if done, last = w.Done(found); done {
				return last, nil
			}
		case ctx.Err() != nil:
		case !clients.KusciaErrors.Passing(err) && !clients.KusciaErrors.NotFound(err):
			return last, err
		default:
			last = err.Error()
		}
		if !lifecycle.Pause(ctx, pause) {
			return last, ctx.Err()
		}
	}
}
