package crud

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Rollout is what a resource adds whose objects start and run: a create and an update wait
// until they do, if wait_for_rollout is set, and rollout_complete is whether they were seen
// to.
type Rollout[W any] struct {
	// WaitText and CompleteText describe wait_for_rollout and rollout_complete, in Markdown.
	WaitText, CompleteText string
	// Timeouts are the default time limits, of an operation with its wait.
	Timeouts definition.Timeouts
	// Pace is the interval between two probes, if these do not wait themselves for what is new.
	Pace wait.Interval
	// MayPause is set if a wait may end with Progress.Paused: no plan knows then whether the
	// rollout will be complete.
	MayPause bool
	// Restarts reports whether changes of some attributes affect what runs. nil: any does.
	Restarts func(changed []path.Path) bool
	// Before returns what has to be remembered of the time before a request. It is called
	// right before a create or an update is sent; after an error nothing is sent. May be nil.
	Before func(ctx context.Context, c *clients.Clients, change Change[W]) (Memory, diag.Diagnostics)
	// Watch begins a wait.
	Watch func(ctx context.Context, c *clients.Clients, w Watched[W]) Watch
	// Runs reports, for a refresh, whether an object runs as the server has it.
	Runs func(ctx context.Context, c *clients.Clients, w Watched[W], found *W) (bool, error)
	// Current returns what counts of a response, which may be from before the last update.
	// May be nil.
	Current func(found *W, memory Memory) *W
	// Correct returns what counts of a memory now, and whether that differs. May be nil.
	Correct func(memory Memory) (corrected Memory, differs bool)
	// CheckMemory returns what is wrong with a stored memory: Decodes of its type. May be nil.
	CheckMemory func(memory Memory) error
}

// Watched is an object that a wait or a refresh looks at.
type Watched[W any] struct {
	ID ID
	// Planned is the saved or the refreshed state, and Desired that with its write-only
	// values.
	Planned, Desired definition.Value
	Memory           Memory
	// Created is set if the wait is for an object that this apply has created, Resumed if
	// this apply has sent nothing.
	Created, Resumed bool
	// IsDesired reports whether a response has the desired values.
	IsDesired func(found *W) bool
	// Imported is set until the first update after an import.
	Imported bool
	// Target is what Spec.Prepare has passed for a wait, and Seen what the wait has ended with,
	// after a write.
	Target, Seen any
}

// Watch looks at what an object runs.
type Watch struct {
	// Probe looks once. An error is one of the query, which is repeated.
	Probe func(ctx context.Context) (Progress, error)
	// End ends the wait and completes the progress of the last probe, whose Text is in the error of a
	// wait without a result. err is why it has none, or nil. May be nil.
	End func(ctx context.Context, last Progress, err error) Progress
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
	// Warnings are shown if the wait ends with this progress.
	Warnings diag.Diagnostics
	// Memory is what is remembered from now on; nil: as before. Seen is passed to Spec.Refresh.
	Memory Memory
	Seen   any
}

// Memory is what a Rollout has to remember of the time before the last request, as JSON in
// the private state.
type Memory []byte

// Remember encodes a memory.
func Remember[T any](value T) Memory {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return encoded
}

// Decodes returns why a memory is not one of this type.
func Decodes[T any](m Memory) error {
	var value T
	if err := json.Unmarshal(m, &value); err != nil {
		return fmt.Errorf("%s: %w", memoryKey, err)
	}
	return nil
}

// Recall decodes a memory; without one it returns the zero value. A stored one was checked when it
// was loaded.
func Recall[T any](m Memory) (value T) {
	_ = json.Unmarshal(m, &value)
	return value
}

// memoryKey is the key of a memory in the private state.
const memoryKey privatestate.Key[json.RawMessage] = "rollout"

// loadMemory returns the memory of a private state.
func (o *Object[W]) loadMemory(ctx context.Context, from privatestate.Getter, diags *diag.Diagnostics) Memory {
	if o.Rollout == nil {
		return nil
	}
	stored, _ := memoryKey.Load(ctx, from, diags)
	memory := Memory(stored)
	if err := o.checkMemory(memory); err != nil {
		privatestate.AddDamaged(diags, err)
	}
	return memory
}

func (o *Object[W]) checkMemory(memory Memory) error {
	if o.Rollout.CheckMemory == nil || len(memory) == 0 {
		return nil
	}
	return o.Rollout.CheckMemory(memory)
}

// saveMemory saves a memory, if there is one.
func (o *Object[W]) saveMemory(ctx context.Context, to privatestate.Setter, memory Memory, diags *diag.Diagnostics) {
	if o.Rollout != nil && len(memory) > 0 {
		memoryKey.Save(ctx, to, json.RawMessage(memory), diags)
	}
}

// corrected returns what counts of a memory now.
func (o *Object[W]) corrected(memory Memory) (corrected Memory, differs bool) {
	if o.Rollout == nil || o.Rollout.Correct == nil {
		return memory, false
	}
	return o.Rollout.Correct(memory)
}

// current returns what counts of a response.
func (o *Object[W]) current(found *W, memory Memory) *W {
	if o.Rollout == nil || o.Rollout.Current == nil {
		return found
	}
	return o.Rollout.Current(found, memory)
}

// attributes are the attributes of the wait.
func (r *Rollout[W]) attributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: definition.AttrWaitForRollout, Type: definition.Bool, Presence: definition.Optional, Local: true, Default: true, Description: r.WaitText},
		{Name: definition.AttrRolloutComplete, Type: definition.Bool, Presence: definition.Computed, Local: true, Description: r.CompleteText},
	}
}

// restarts reports whether changes affect what runs.
func (o *Object[W]) restarts(changed []path.Path) bool {
	return len(changed) > 0 && (o.Rollout.Restarts == nil || o.Rollout.Restarts(changed))
}

// planRollout sets rollout_complete in a plan.
func (o *Object[W]) planRollout(plan *definition.Plan, prior definition.Value) {
	if o.Rollout == nil {
		return
	}
	expected := definition.BoolValue(true)
	if o.Rollout.MayPause {
		expected = tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
	}
	complete := definition.PlannedRollout(prior, plan.Planned, prior.IsNull() || len(plan.Replaces) > 0 || o.restarts(plan.Sent), expected)
	if !definition.Equal(definition.FieldsOf(plan.Planned)[definition.AttrRolloutComplete], complete) {
		plan.Planned, plan.Unchanged = definition.WithRollout(plan.Planned, complete), false
	}
}

// waitsInUpdate reports whether an update waits, also one that sends nothing.
func (o *Object[W]) waitsInUpdate(planned, prior definition.Value, sent []path.Path) bool {
	return o.Rollout != nil && definition.WaitsForRollout(planned) && !definition.FieldsOf(planned)[definition.AttrRolloutComplete].IsNull() &&
		(o.restarts(sent) || !definition.IsRolloutComplete(prior))
}

// beforeWait returns the state that is saved before a wait.
func (o *Object[W]) beforeWait(state, prior definition.Value, waits bool) definition.Value {
	switch {
	case o.Rollout == nil:
		return state
	case waits:
		return definition.WithRollout(state, definition.BoolValue(false))
	case !definition.WaitsForRollout(state):
		return definition.WithRollout(state, definition.NullBool())
	}
	return definition.WithRollout(state, definition.FieldsOf(prior)[definition.AttrRolloutComplete])
}

// limited adds the time limit of an operation to the context, which includes its wait.
func (o *Object[W]) limited(ctx context.Context, value definition.Value, operation definition.Operation) (context.Context, context.CancelFunc) {
	if o.Rollout == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.Definition.Timeout(value, operation))
}

// finish waits until an object runs that is in the state, if anything waits for it, and reads
// it back.
func (r *Resource[W]) finish(ctx context.Context, w Watched[W], what change, op Operation[W], state *tfsdk.State, private privatestate.Setter, diags *diag.Diagnostics) {
	o := r.object
	planned := definition.WithRollout(op.Planned, definition.FieldsOf(state.Raw)[definition.AttrRolloutComplete])
	if op.Waits {
		w.Planned, w.Target = state.Raw, op.Target
		w.IsDesired = func(found *W) bool { return len(o.differences(w.Desired, w.ID, found, nil)) == 0 }
		seen := r.await(ctx, w)
		if seen.Memory != nil {
			w.Memory = seen.Memory
			o.saveMemory(ctx, private, w.Memory, diags)
		}
		if err := seen.Failed; err != nil {
			summary := clients.NotRunningSummary(clients.Capitalize(o.Title)+" was "+what.did, err)
			if w.Resumed {
				summary = clients.StillNotRunningSummary(o.Title, err)
			}
			clients.AddError(diags, summary, fmt.Errorf("%w\n\n%s", err, what.after(o.Title, err)))
			return
		}
		diags.Append(seen.Warnings...)
		complete := definition.BoolValue(!seen.Paused)
		planned, state.Raw = definition.WithRollout(planned, complete), definition.WithRollout(state.Raw, complete)
		w.Seen = seen.Seen
	}
	w.Planned = planned
	r.readBack(ctx, w, state, private, diags)
}

// await waits until an object runs.
func (r *Resource[W]) await(ctx context.Context, w Watched[W]) (last Progress) {
	o := r.object
	watch := o.Rollout.Watch(ctx, r.Clients, w)
	err := wait.Poll(ctx, o.Rollout.Pace, func(ctx context.Context) (bool, error) {
		seen, err := watch.Probe(ctx)
		if err != nil {
			return false, err
		}
		last = seen
		if seen.Text != "" {
			tflog.Info(ctx, "waiting for "+o.named(w.ID), map[string]any{"progress": seen.Text})
		}
		return seen.Done || seen.Paused || seen.Failed != nil, nil
	})
	if watch.End != nil {
		last = watch.End(ctx, last, err)
	}
	if err != nil && last.Failed == nil && !last.Paused {
		last.Failed = fmt.Errorf("%s was not seen to run as configured. %s.\n\nThe wait ended: %w", clients.Capitalize(o.messageObject(w.ID, w.Planned).Named()), clients.Capitalize(strings.TrimSuffix(last.Text, ".")), err)
	}
	return last
}

// refreshRollout sets rollout_complete in a refreshed state. A rollout becomes complete when
// the object is seen to run. A change since the last apply, maybe by an apply that was
// killed before it saved its state, was not observed as rolled out.
func (o *Object[W]) refreshRollout(ctx context.Context, c *clients.Clients, w Watched[W], found *W, prior definition.Value, diags *diag.Diagnostics) definition.Value {
	if o.Rollout == nil || o.Refresh != nil {
		return w.Planned
	}
	changed := definition.IsRolloutComplete(prior) && o.restarts(o.differences(prior, w.ID, found, w.Memory))
	if !changed && !definition.IsRolloutIncomplete(prior) {
		return w.Planned
	}
	w.Desired = w.Planned
	runs, err := o.Rollout.Runs(ctx, c, w, found)
	if err != nil {
		diags.AddWarning("Unknown whether "+o.Title+" runs", err.Error())
	}
	return definition.WithRollout(w.Planned, definition.BoolValue(runs && err == nil))
}
