package crud

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// awaited returns the wait as the engine runs it.
func (r *Rollout[W]) awaited() *awaited[W] {
	const untilThen = "As long as the %s does not run, rollout_complete is false: the next plan shows that, and its apply waits again."
	return &awaited[W]{
		attribute: definition.AttrWaitForRollout, pace: r.Pace, watch: r.Watch, goal: "run as configured", reached: "runs",
		updated: "The new specification is stored, and in the state. Nothing is rolled back. " + untilThen,
		resumed: "Nothing was sent: the configured values are stored already. " + untilThen,
	}
}

// awaited returns the wait as the engine runs it.
func (w *Wait[W]) awaited(o *Object[W]) *awaited[W] {
	return &awaited[W]{
		attribute: w.Attribute, pace: pace, goal: "be ready", reached: "becomes ready",
		advice:  w.For,
		updated: "The server has the new values, and they are saved. Each plan warns until the %s is ready.",
		resumed: "Nothing was sent. Each plan warns until the %s is ready.",
		watch: func(_ context.Context, c *run.Run, watched Watched[W]) Watch[W] {
			return Watch[W]{Probe: func(ctx context.Context) (Progress, error) {
				w.Fresh.look(ctx, c, watched.ID, watched.Stale)
				seen, err := w.probe(ctx, func(ctx context.Context) (*W, error) { return o.steps.API(c, watched.Desired).Query(ctx, watched.ID) })
				if err == nil {
					seen.Done, seen.Text = watched.Stale.judge(seen.Done, seen.Text)
				}
				seen.Text = "last seen: " + seen.Text
				return seen, err
			}}
		},
	}
}

// limited adds the time limit of an operation to the context, which includes its wait.
func (o *Object[W]) limited(ctx context.Context, value definition.Value, operation definition.Operation) (context.Context, context.CancelFunc) {
	if o.timeouts.Of(operation) == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.Definition.Timeout(value, operation))
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

// before calls Rollout.Before.
func (o *Object[W]) before(ctx context.Context, c *run.Run, change *Change[W], diags *diag.Diagnostics) Memory {
	if o.Rollout == nil || o.Rollout.Before == nil {
		return change.Memory
	}
	return o.Rollout.Before(ctx, c, change, diags)
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

// flagsFromProtocol is loadFlags and loadMemory for a shortcut. ok is false if the private
// state has anything else.
func (o *Object[W]) flagsFromProtocol(private map[string][]byte) (f Flags, memory Memory, ok bool) {
	all := f.byKey()
	for key, value := range private {
		if key == memoryKey && o.Rollout != nil && o.checkMemory(value) == nil {
			memory = value
			continue
		}
		flag, known := all[key]
		if !known || len(value) > 0 && string(value) != "true" {
			return f, nil, false
		}
		*flag = len(value) > 0
	}
	return f, memory, true
}

// remembersNotReady reports whether a failed wait after an update is remembered by Flags.NotReady: it
// is where no rollout_complete shows it.
func (o *Object[W]) remembersNotReady() bool { return o.Wait != nil && o.Wait.Timeouts.Update > 0 }

// warnOfLimit warns in the plan of an update whose time limit may end before the server has written the
// state of the object as it was changed.
func (o *Object[W]) warnOfLimit(change *Change[W]) (diags diag.Diagnostics) {
	if o.Wait == nil || o.Wait.Fresh == nil || change.Before == nil || change.Desired == nil || len(change.Sent) == 0 || !o.enablesWait(change.Value) {
		return nil
	}
	fresh := o.Wait.Fresh
	writes, limit := fresh.Writes(change.Before, change.Desired), o.Definition.Timeout(change.Value, definition.OnUpdate)
	if least := time.Duration(writes+1) * fresh.Pace; writes > 1 && limit < least {
		diags.AddAttributeWarning(path.Root(definition.AttrTimeouts).AtName(string(definition.OnUpdate)), "Time limit may be too short", fmt.Sprintf(
			"%s.%s is %s. %s writes the state of a %s that stays ready every %s, and the wait after this change needs %d such writes. Increase it to %s or more, or set %s = false.",
			definition.AttrTimeouts, definition.OnUpdate, definition.ShortDuration(limit), message.Capitalize(o.Server.Name), o.Title,
			definition.ShortDuration(fresh.Pace), writes, definition.ShortDuration(least), o.Wait.Attribute))
	}
	return diags
}

// lookAgain is Fresh.look for a refresh of an object that was not seen to be ready.
func (o *Object[W]) lookAgain(ctx context.Context, c *run.Run, id ID, flags Flags, s *stale) {
	if flags.NotReady && o.Wait != nil {
		o.Wait.Fresh.look(ctx, c, id, s)
	}
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
