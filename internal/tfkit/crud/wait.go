package crud

import (
	"context"
	"errors"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Wait waits after a create, and after an update if that has a time limit, until the object is
// ready, if the configuration enables it.
type Wait[W any] struct {
	// Attribute is the name of the attribute that enables the wait
	// ("wait_for_ready"), Default its default, and Description its description
	// in Markdown.
	Attribute   string
	Default     bool
	Description string
	// Timeouts are the default time limits, of an operation with its wait. After an update
	// with 0, there is no wait.
	Timeouts definition.Timeouts
	// Done reports whether the object is ready, and describes its state for the
	// error of a wait that times out.
	Done func(*W) (done bool, state string)
	// Fresh tells a state from before an update from one after it. It may be nil: the server
	// reports no state from before an update.
	Fresh *Fresh[W]
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

// awaited returns the wait as the engine runs it.
func (w *Wait[W]) awaited(o *Object[W]) *awaited[W] {
	return &awaited[W]{
		attribute: w.Attribute, pace: pace, goal: "be ready", reached: "becomes ready",
		advice:  w.For,
		updated: "The server has the new values, and they are saved. Each plan warns until the %s is ready.",
		resumed: "Nothing was sent. Each plan warns until the %s is ready.",
		watch: func(_ context.Context, c *clients.Clients, watched Watched[W]) Watch {
			return Watch{Probe: func(ctx context.Context) (Progress, error) {
				w.Fresh.look(ctx, c, watched.ID, watched.Stale)
				seen, err := w.probe(ctx, func(ctx context.Context) (*W, error) { return o.api(c, watched.Desired).Query(ctx, watched.ID) })
				if err == nil {
					seen.Done, seen.Text = watched.Stale.judge(seen.Done, seen.Text)
				}
				seen.Text = "last seen: " + seen.Text
				return seen, err
			}}
		},
	}
}

// probe queries the object once. One that does not exist may be created later.
func (w *Wait[W]) probe(ctx context.Context, query func(context.Context) (*W, error)) (seen Progress, err error) {
	found, err := query(ctx)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return Progress{Text: err.Error()}, nil
	case err != nil:
		return Progress{}, err
	}
	seen.Done, seen.Text = w.Done(found)
	if w.Failure != nil {
		if why := w.Failure(found); why != "" {
			seen.Failed = errors.New(why)
		}
	}
	return seen, nil
}

// WaitDone polls an object until it is done. last describes the last response, for the error of a
// wait that ends with the context.
func (w *Wait[W]) WaitDone(ctx context.Context, query func(context.Context) (*W, error)) (last string, err error) {
	seen := Progress{Text: "no status yet"}
	err = poll(ctx, pace, func(ctx context.Context) (Progress, error) {
		now, err := w.probe(ctx, query)
		if err != nil && ctx.Err() == nil {
			seen.Text = err.Error()
		}
		return now, err
	}, &seen)
	if err == nil {
		err = seen.Failed
	}
	return seen.Text, err
}
