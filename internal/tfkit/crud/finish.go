package crud

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

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

// readAfterWrite reads an object after a write. It polls until the response
// matches the desired values or the delay is over, and returns the last response.
func (o *Object[W]) readAfterWrite(ctx context.Context, c *run.Run, w Watched[W]) (*W, error) {
	query := w.query
	if query == nil {
		query = o.steps.API(c, w.Desired).Query
	}
	for began := time.Now(); ; {
		found, err := query(ctx, w.ID)
		if err == nil && len(o.steps.Differences(w.Desired, w.ID, found, w.Memory)) == 0 {
			return found, nil
		}
		if time.Since(began) >= max(o.Writes.ConsistencyDelay, cmp.Or(o.Writes.StaleDelay, staleDelay)) || !wait.Sleep(ctx, consistencyPause) {
			return found, err
		}
	}
}

// readBack reads an object after a write. A difference from the plan is an error.
func (r *Resource[W]) readBack(ctx context.Context, w Watched[W], state *tfsdk.State, private privateSetter, diags *diag.Diagnostics) {
	_, different := r.readAndCompare(ctx, w, state, private, diags)
	r.object.addDifferences(w.ID, w.Planned, diags, different, r.object.savedCause())
}

// readBackCreated is readBack after a create. An eventually consistent server accepts
// two creates of the same object, of which one overwrites the other. The object is
// then another client's. It leaves the state: as a tainted resource the next apply would
// delete it. A server that lags can also return the value
// from before a delete, so that this is decided by a last read.
func (r *Resource[W]) readBackCreated(ctx context.Context, w Watched[W], state *tfsdk.State, private privateSetter, diags *diag.Diagnostics) {
	o := r.object
	first, different := r.readAndCompare(ctx, w, state, private, diags)
	why := o.savedCause()
	if len(different) > 0 && o.Writes.ConsistencyDelay > 0 {
		if last, err := o.readAfterWrite(ctx, r.Run, w); err == nil {
			state.Raw, different = r.compareWritten(ctx, w, last, private, diags)
			if len(different) > 0 && o.valueOf(w.ID, last, w.Desired).Equal(o.valueOf(w.ID, first, w.Desired)) {
				state.RemoveResource(ctx)
				why = o.concurrentCreateHelp(w.ID)
			}
		}
	}
	o.addDifferences(w.ID, w.Planned, diags, different, why)
}

// readAndCompare reads an object after a write, and returns the response and where it
// differs from the plan. The state gets the plan, in the spelling of the configuration,
// or the response if that differs. An object that does not exist, or that the server
// cannot show, is an error; one that runs is not replaced because the server lags.
func (r *Resource[W]) readAndCompare(ctx context.Context, w Watched[W], state *tfsdk.State, private privateSetter, diags *diag.Diagnostics) (found *W, different []path.Path) {
	o := r.object
	found, err := o.readAfterWrite(ctx, r.Run, w)
	if _, unreadable := o.unreadable(err, w.Planned); unreadable || o.Rollout == nil && o.Server.Errors.NotFound(err) {
		message.AddError(diags, message.Capitalize(o.Title)+" is not as planned", fmt.Errorf("%s accepted the request, but cannot return %s afterwards: %w", message.Capitalize(o.Server.Name), o.named(w.ID), err))
		return nil, nil
	}
	if err != nil {
		diags.AddWarning("Unable to read "+o.Title+" after the change",
			fmt.Sprintf("%s accepted %s, and it was saved as planned, but reading it afterwards failed: %s\n\nThe next plan will compare it with %s again.",
				message.Capitalize(o.Server.Name), o.messageObject(w.ID, w.Planned).Named(), err, o.Server.Name))
		return nil, nil
	}
	state.Raw, different = r.compareWritten(ctx, w, found, private, diags)
	return found, different
}

// concurrentCreateHelp explains a difference from the plan of an object that has left the state.
func (o *Object[W]) concurrentCreateHelp(id ID) string {
	return fmt.Sprintf("Another client may have created the %s at the same time, so that it is not in the state: the next apply would delete it. "+
		"%s may also still return a value from before a delete. Check the %[1]s again: %[3]s",
		o.Title, message.Capitalize(o.Server.Name), o.messageObject(id, definition.Value{}).ImportIfOwn())
}

// compareWritten returns the state for a response after a write: the plan, in the
// spelling of the configuration, or the response if that differs, and where it differs.
func (r *Resource[W]) compareWritten(ctx context.Context, w Watched[W], found *W, private privateSetter, diags *diag.Diagnostics) (state definition.Value, different []path.Path) {
	o := r.object
	different = o.steps.Differences(w.Desired, w.ID, found, w.Memory)
	refreshed, memory := o.steps.Refresh(ctx, r.Run, w, found, diags)
	state = o.Definition.Filled(w.Planned, refreshed)
	// The wait has decided whether the rollout is complete: what is remembered belongs to that.
	same := len(different) == 0
	if !bytes.Equal(memory, w.Memory) && (!same || definition.IsRolloutComplete(state) == definition.IsRolloutComplete(refreshed)) {
		o.saveMemory(ctx, private, memory, diags)
	}
	switch {
	case same:
		return state, nil
	case slices.ContainsFunc(different, o.Definition.IsWriteOnlyInUse(w.Planned)):
		return o.Definition.InvalidateVersions(refreshed), different
	}
	return refreshed, different
}

// savedCause explains a difference from the plan that is in the state.
func (o *Object[W]) savedCause() string {
	return fmt.Sprintf("Either another client changed the %s at the same time, or this version of %s does not store the attribute. The returned values were saved; plan again to see the difference.", o.Title, o.Server.Name)
}

// addDifferences adds an error for each attribute in which an object differs from
// the plan after a write.
func (o *Object[W]) addDifferences(id ID, planned definition.Value, diags *diag.Diagnostics, different []path.Path, why string) {
	for _, at := range different {
		diags.AddAttributeError(at, message.Capitalize(o.Title)+" is not as planned",
			fmt.Sprintf("After the apply %s returns another value for %s of %s. %s", o.Server.Name, at, o.messageObject(id, planned).Named(), why))
	}
}
