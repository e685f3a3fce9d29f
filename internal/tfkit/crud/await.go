package crud

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// awaited is what an operation waits for after its request: what a Rollout or a Wait declares.
type awaited[W any] struct {
	// attribute is the name of the attribute that enables the wait.
	attribute string
	// pace is the interval between two probes, and watch begins a wait.
	pace  wait.Interval
	watch func(ctx context.Context, c *run.Run, w Watched[W]) Watch[W]

	// goal is what was not seen ("be ready"), and reached that it was ("becomes ready").
	goal, reached string
	// advice is what the object needs to get there, as a sentence, or "".
	advice string
	// updated and resumed are the consequences of a wait that failed after an update, and of one
	// that has sent nothing. %s is the title of the object.
	updated, resumed string
}

// Watch looks at what an object runs.
type Watch[W any] struct {
	// Probe looks once. An error is one of the query, which is repeated.
	Probe func(ctx context.Context) (Progress, error)
	// End ends the wait and completes the progress of the last probe, whose Text is in the error of a
	// wait without a result. err is why it has none, or nil. May be nil.
	End func(ctx context.Context, last Progress, err error) Progress
	// Query reads the object once the wait has ended; nil: API.Query does.
	Query func(ctx context.Context, id ID) (*W, error)
}

// Progress is what a probe has seen.
type Progress struct {
	// Done is set if the object runs as desired.
	Done bool
	// Paused is set if another client holds the rollout: the wait ends, and the rollout is
	// not complete. Warnings explain it.
	Paused bool
	// Failed is why the object will not run without a change, or nil.
	Failed error
	// Text describes the progress, for the log and errors.
	Text string
	// Details is more about a wait that has failed, in paragraphs that follow its error.
	Details string
	// Warnings are shown if the wait ends with this progress.
	Warnings diag.Diagnostics
	// Memory is what is remembered from now on; nil: as before.
	Memory Memory
}

// ended reports whether a wait ends with this progress.
func (p Progress) ended() bool { return p.Done || p.Paused || p.Failed != nil }

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

// enablesWait reports whether a create waits for its object, and an update for what it changes.
func (o *Object[W]) enablesWait(planned definition.Value) bool {
	return o.awaited != nil && definition.BoolOf(definition.At(planned, o.awaited.attribute))
}

// watch returns the wait that is declared.
func (o *Object[W]) watch(c *run.Run) func(context.Context, Watched[W]) Watch[W] {
	return func(ctx context.Context, w Watched[W]) Watch[W] { return o.awaited.watch(ctx, c, w) }
}

// waitsInUpdate reports whether an update waits, also one that sends nothing since an earlier one
// was not seen to reach its goal.
func (o *Object[W]) waitsInUpdate(change *Change[W]) bool {
	if o.Rollout != nil {
		return definition.WaitsInUpdate(change.Value, change.Prior, o.restarts(change.Sent))
	}
	return o.remembersNotReady() && o.enablesWait(change.Value) && (len(change.Sent) > 0 || change.NotReady)
}

// remembersNotReady reports whether a failed wait after an update is remembered by Flags.NotReady: it
// is where no rollout_complete shows it.
func (o *Object[W]) remembersNotReady() bool { return o.Wait != nil && o.Wait.Timeouts.Update > 0 }

// limited adds the time limit of an operation to the context, which includes its wait.
func (o *Object[W]) limited(ctx context.Context, value definition.Value, operation definition.Operation) (context.Context, context.CancelFunc) {
	if o.timeouts.Of(operation) == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.Definition.Timeout(value, operation))
}

// step is a create or an update whose request was carried out, or that sends none.
type step struct {
	operation definition.Operation
	// did is what was done with the object, "" if nothing was sent.
	did string
}

var (
	createdObject = step{definition.OnCreate, "created"}
	updatedObject = step{definition.OnUpdate, "updated"}
	resumedObject = step{operation: definition.OnUpdate}
)

// finish waits for an object that is in the state, if the operation waits, and reads it back. Only
// the wait knows what a rollout brings about; another object is read first, too, since one that is
// not as planned, or does not exist, is nothing to wait for.
func (r *Resource[W]) finish(ctx context.Context, w Watched[W], what step, op Operation[W], state *tfsdk.State, private privateSetter, diags *diag.Diagnostics) {
	o := r.object
	planned, readBack := op.Planned, r.readBack
	if what == createdObject {
		readBack = r.readBackCreated
	}
	if o.Rollout != nil {
		planned = definition.WithRollout(planned, definition.At(state.Raw, definition.AttrRolloutComplete))
	} else {
		w.Planned = planned
		if readBack(ctx, w, state, private, diags); !op.waits() || diags.HasError() {
			return
		}
	}
	if op.waits() {
		w.Planned, w.Resumed = state.Raw, what.did == ""
		w.IsDesired = func(found *W) bool { return len(o.steps.Differences(w.Desired, w.ID, found, nil)) == 0 }
		watch := op.Watch(ctx, w)
		seen := r.await(ctx, w, watch)
		if seen.Memory != nil {
			w.Memory = seen.Memory
			o.saveMemory(ctx, private, w.Memory, diags)
		}
		if seen.Failed != nil {
			o.addNotReached(ctx, diags, what, w.Planned, seen.Failed)
			return
		}
		if seen.Paused && definition.IsRolloutComplete(op.Planned) {
			seen.Warnings = asErrors(seen.Warnings) // Terraform would report its own
		}
		diags.Append(seen.Warnings...)
		if o.Rollout != nil {
			complete := definition.BoolValue(!seen.Paused)
			planned, state.Raw = definition.WithRollout(planned, complete), definition.WithRollout(state.Raw, complete)
		}
		w.query = watch.Query
	}
	w.Planned = planned
	readBack(ctx, w, state, private, diags)
}

// asErrors returns warnings as errors.
func asErrors(warnings diag.Diagnostics) (errors diag.Diagnostics) {
	for _, w := range warnings {
		if at, ok := w.(diag.DiagnosticWithPath); ok {
			errors.AddAttributeError(at.Path(), w.Summary(), w.Detail())
			continue
		}
		errors.AddError(w.Summary(), w.Detail())
	}
	return errors
}

// await waits until an object runs, or is ready.
func (r *Resource[W]) await(ctx context.Context, w Watched[W], watch Watch[W]) Progress {
	o := r.object
	last := Progress{Text: "No status was seen"}
	err := poll(ctx, o.awaited.pace, func(ctx context.Context) (Progress, error) {
		seen, err := watch.Probe(ctx)
		if err == nil && seen.Text != "" {
			tflog.Info(ctx, "waiting for "+o.named(w.ID), map[string]any{"progress": seen.Text})
		}
		return seen, err
	}, &last)
	if watch.End != nil {
		last = watch.End(ctx, last, err)
	}
	if err != nil && last.Failed == nil && !last.Paused {
		last.Failed = fmt.Errorf("%s was not seen to %s. %s.\n\nThe wait ended: %w", message.Capitalize(o.messageObject(w.ID, w.Planned).Named()), o.awaited.goal, message.Capitalize(strings.TrimSuffix(last.Text, ".")), err)
	}
	if last.Failed != nil && last.Details != "" {
		last.Failed = fmt.Errorf("%w\n\n%s", last.Failed, last.Details)
	}
	return last
}

// addNotReached adds the error of a wait that failed, with its consequence.
func (o *Object[W]) addNotReached(ctx context.Context, diags *diag.Diagnostics, what step, planned definition.Value, err error) {
	is, did := o.awaited, message.Capitalize(o.Title)+" was "+what.did
	summary, still := message.NotReadySummary(did, err), message.StillNotReadySummary(o.Title, err)
	if o.Rollout != nil {
		summary, still = message.NotRunningSummary(did, err), message.StillNotRunningSummary(o.Title, err)
	}
	next := "The %s is kept in the state and marked as tainted: the next apply replaces it. If it " + is.reached + " in the meantime, terraform untaint keeps it."
	switch what {
	case resumedObject:
		summary, next = still, is.resumed
	case updatedObject:
		next = is.updated
	}
	next = fmt.Sprintf(next, o.Title)
	if wait.IsDeleted(err) {
		next = "The next plan creates it again."
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		next = join(is.advice, fmt.Sprintf("%s\n\nTo wait longer, increase %s.%s, which is %s; to skip the wait, set %s = false.",
			next, definition.AttrTimeouts, what.operation, definition.ShortDuration(o.Definition.Timeout(planned, what.operation)), is.attribute))
	}
	message.AddError(diags, summary, fmt.Errorf("%w\n\n%s", err, next))
}

// addNotReady adds a warning about an object that is not ready since an update whose wait has
// failed, and reports whether it has added one.
func (o *Object[W]) addNotReady(diags *diag.Diagnostics, id ID, state definition.Value, found *W, since *stale) bool {
	if o.Wait == nil || !o.enablesWait(state) {
		return false
	}
	done, last := since.judge(o.Wait.Done(found))
	if !done {
		diags.AddWarning(message.Capitalize(o.Title)+" is not ready", fmt.Sprintf(
			"The last update of %s ended before it was ready. %s has the values of the state. Last seen: %s.", o.named(id), message.Capitalize(o.Server.Name), last))
	}
	return !done
}
