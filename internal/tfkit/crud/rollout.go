package crud

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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
	// Restarts reports whether changes of some attributes affect what runs. nil: any does.
	Restarts func(changed []path.Path) bool
	// Before returns what has to be remembered of the time before a request, and adds to the
	// planned object what the plan did not know. It is called right before a create or an update is
	// made, also one that sends nothing; after an error nothing is sent. May be nil.
	Before func(ctx context.Context, c *run.Run, change *Change[W], diags *diag.Diagnostics) Memory
	// Watch begins a wait. nil: Steps.Prepare does.
	Watch func(ctx context.Context, c *run.Run, w Watched[W]) Watch[W]
	// Runs reports, for a refresh, whether an object runs as the server has it. nil: Steps.Refresh
	// sets rollout_complete.
	Runs func(ctx context.Context, c *run.Run, w Watched[W], found *W) (bool, error)
	// Current returns what counts of a response, which may be from before the last update.
	// May be nil.
	Current func(found *W, memory Memory) *W
	// Correct returns what counts of a memory now, and whether that differs. May be nil.
	Correct func(memory Memory) (corrected Memory, differs bool)
	// Observe returns what is remembered after a refresh, or a read after a write, of what runs.
	// May be nil.
	Observe func(ctx context.Context, c *run.Run, w Watched[W], found *W) Memory
	// CheckMemory returns what is wrong with a stored memory: Decodes of its type.
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
	// Updated is set if the wait is for an update, of this apply or of an earlier one.
	Updated bool
	// IsDesired reports whether a response has the desired values.
	IsDesired func(found *W) bool
	// Imported is set until the first update after an import.
	Imported bool
	// query reads the object after its wait; nil: the API does.
	query func(ctx context.Context, id ID) (*W, error)
	// Stale is what a Wait knows of the state from before an update, or nil.
	Stale *stale
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
const memoryKey = "rollout"

// loadMemory returns the memory of a private state.
func (o *Object[W]) loadMemory(ctx context.Context, from privateGetter, diags *diag.Diagnostics) Memory {
	if o.Rollout == nil {
		return nil
	}
	memory, more := from.GetKey(ctx, memoryKey)
	diags.Append(more...)
	if err := o.checkMemory(memory); err != nil {
		addDamaged(diags, err)
	}
	return memory
}

func (o *Object[W]) checkMemory(memory Memory) error {
	if len(memory) == 0 {
		return nil
	}
	return o.Rollout.CheckMemory(memory)
}

// saveMemory saves a memory, if there is one.
func (o *Object[W]) saveMemory(ctx context.Context, to privateSetter, memory Memory, diags *diag.Diagnostics) {
	if o.Rollout != nil && len(memory) > 0 {
		diags.Append(to.SetKey(ctx, memoryKey, memory)...)
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

// observed returns what is remembered after a response.
func (o *Object[W]) observed(ctx context.Context, c *run.Run, w Watched[W], found *W) Memory {
	if o.Rollout == nil || o.Rollout.Observe == nil {
		return w.Memory
	}
	return o.Rollout.Observe(ctx, c, w, found)
}

// attributes are the attributes of the wait.
func (r *Rollout[W]) attributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: definition.AttrWaitForRollout, Type: definition.Bool, Presence: definition.Optional, Local: true, Default: true, Description: r.WaitText},
		{Name: definition.AttrRolloutComplete, Type: definition.Bool, Presence: definition.Computed, Local: true, Description: r.CompleteText},
	}
}

// awaited returns the wait as the engine runs it.
func (r *Rollout[W]) awaited() *awaited[W] {
	const untilThen = "As long as the %s does not run, rollout_complete is false: the next plan shows that, and its apply waits again."
	return &awaited[W]{
		attribute: definition.AttrWaitForRollout, pace: r.Pace, watch: r.Watch, goal: "run as configured", reached: "runs",
		updated: "The new specification is stored, and in the state. Nothing is rolled back. " + untilThen,
		resumed: "Nothing was sent: the configured values are stored already. " + untilThen,
	}
}

// restarts reports whether changes affect what runs.
func (o *Object[W]) restarts(changed []path.Path) bool {
	return len(changed) > 0 && (o.Rollout.Restarts == nil || o.Rollout.Restarts(changed))
}

// planRollout sets rollout_complete in a plan.
func (o *Object[W]) planRollout(c *run.Run, from *Planned) {
	if o.Rollout == nil {
		return
	}
	plan := &from.Plan
	expected := func() definition.Value { // most plans change nothing, and do not ask
		if from.MayEndOtherwise != nil && from.MayEndOtherwise(c, *from) {
			return tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
		}
		return definition.BoolValue(true)
	}
	complete := definition.PlannedRollout(from.Prior, plan.Planned, len(plan.Replaces) > 0 || o.restarts(plan.Sent), expected)
	if !definition.Equal(definition.At(plan.Planned, definition.AttrRolloutComplete), complete) {
		plan.Planned, plan.Unchanged = definition.WithRollout(plan.Planned, complete), false
	}
}

// beforeWait returns the state that is saved before a wait.
func (o *Object[W]) beforeWait(state, prior definition.Value, waits bool) definition.Value {
	switch {
	case o.Rollout == nil:
		return state
	case waits || !definition.WaitsForRollout(state):
		return definition.BeforeWait(state)
	}
	return definition.WithRollout(state, definition.At(prior, definition.AttrRolloutComplete))
}

// refreshRollout sets rollout_complete in a refreshed state. A rollout becomes complete when
// the object is seen to run. A change since the last apply, maybe by an apply that was
// killed before it saved its state, was not observed as rolled out.
func (o *Object[W]) refreshRollout(ctx context.Context, c *run.Run, w Watched[W], found *W, prior definition.Value, diags *diag.Diagnostics) definition.Value {
	if o.Rollout == nil || o.Rollout.Runs == nil {
		return w.Planned
	}
	changed := definition.IsRolloutComplete(prior) && o.restarts(o.steps.Differences(prior, w.ID, found, w.Memory))
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
