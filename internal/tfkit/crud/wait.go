package crud

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
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

// Fresh tells whether the state that a server reports is from after an update: its controllers write
// the state some time later, and until then an object may be ready as it was.
type Fresh[W any] struct {
	// Writes is how many times the controllers have to write the state after this update, until the
	// object is ready as it was changed: 0 if an object that was ready stays so.
	Writes func(before, desired *W) int
	// Mark is another text after each such write, and "" if it is not seen. It is stored, and so must
	// not have secrets.
	Mark func(ctx context.Context, c *run.Run, id ID) string
	// Pace is the longest time between two writes of an object that stays ready.
	Pace time.Duration
	// Lag is the time after which the state is new also if no write was seen.
	Lag time.Duration
}

// before returns what is known of the state before an update, nil if the state after it is new at
// once. earlier is that of an earlier update, which nobody has seen ready.
func (f *Fresh[W]) before(ctx context.Context, c *run.Run, change *Change[W], earlier *stale) *stale {
	if f == nil || len(change.Sent) == 0 {
		return earlier
	}
	writes := f.Writes(change.Before, change.Desired)
	if writes == 0 {
		return earlier
	}
	if earlier != nil {
		writes = max(writes, earlier.Writes)
	}
	return &stale{Writes: writes, Mark: f.Mark(ctx, c, change.ID)}
}

// sent is called once the update may have been carried out.
func (f *Fresh[W]) sent(s *stale) {
	if s != nil {
		s.Until = time.Now().Add(f.Lag)
	}
}

// look looks for a write. It is before the query whose response it is about.
func (f *Fresh[W]) look(ctx context.Context, c *run.Run, id ID, s *stale) {
	if f == nil || s == nil || s.Writes == 0 {
		return
	}
	if !time.Now().Before(s.Until) {
		s.Writes = 0
		return
	}
	mark := f.Mark(ctx, c, id)
	if mark == "" || mark == s.Mark {
		return
	}
	if s.Mark != "" {
		s.Writes--
	}
	s.Mark = mark
}

// judge returns whether an object that was reported as done is, with its state. One that was seen not
// to be ready is ready anew after that.
func (s *stale) judge(done bool, state string) (bool, string) {
	switch {
	case s == nil || s.Writes == 0:
	case !done:
		s.Writes = 0
	default:
		return false, state + ", which may be the state from before the update"
	}
	return done, state
}

// staleKey is its key in the private state of a Resource.
const staleKey = "stale"

func loadStale(ctx context.Context, from privateGetter, diags *diag.Diagnostics) *stale {
	value, more := from.GetKey(ctx, staleKey)
	diags.Append(more...)
	if len(value) == 0 {
		return nil
	}
	if err := Decodes[stale](value); err != nil {
		addDamaged(diags, err)
	}
	s := Recall[stale](value)
	return &s
}

// save saves it while the object is not ready. had is set if the private state has one.
func (s *stale) save(ctx context.Context, to privateSetter, notReady, had bool) diag.Diagnostics {
	if !notReady || s == nil || s.Writes == 0 {
		if !had {
			return nil
		}
		return to.SetKey(ctx, staleKey, nil)
	}
	return to.SetKey(ctx, staleKey, Remember(*s))
}

// poll probes an object until the wait ends, and sets the last progress that was seen.
func poll(ctx context.Context, pace wait.Interval, probe func(context.Context) (Progress, error), last *Progress) error {
	return wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		seen, err := probe(ctx)
		if err != nil {
			return false, err
		}
		*last = seen
		return seen.ended(), nil
	})
}
