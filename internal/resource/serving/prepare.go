package serving

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/application"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Prepare checks a create or an update against what Kuscia has now, and returns it.
func (steps) Prepare(ctx context.Context, c *run.Run, change crud.Change[object], diags *diag.Diagnostics) crud.Operation[object] {
	if !c.ReadyKuscia(diags) {
		return crud.Operation[object]{}
	}
	if change.Prior.IsNull() {
		return prepareCreate(ctx, c, change, diags)
	}
	return prepareUpdate(ctx, c, change, diags)
}

func prepareCreate(ctx context.Context, c *run.Run, change crud.Change[object], diags *diag.Diagnostics) (op crud.Operation[object]) {
	config := rules.Of(change.Config)
	planned := completePods(ctx, c, rules.Of(change.Value), config, nil, rules.Private{}, diags)
	desired := rules.Desired(planned, config)
	masked := func(ctx context.Context) context.Context { return keepSecret(ctx, desired) }
	ctx = masked(ctx)
	checkParties(ctx, c, plannedChange{planned: planned, moment: crud.InApply}, diags)
	diags.Append(application.CheckApply(desired, c.AppImages.Lookup(ctx), runsHere(ctx, c), true)...)
	request := rules.CreateRequest(desired, diags)
	if diags.HasError() {
		return op
	}
	observer := observerFor(ctx, c, planned, nil, diags)
	images := c.AppImages.Lookup(ctx)
	target := rules.CreateTarget(planned)
	target.Observer = observer
	op = crud.Operation[object]{
		Planned: planned.Value(), Desired: desired.Value(), Create: &object{create: request},
		Context:  masked,
		RetryFor: rules.Definition.Timeout(change.Value, definition.OnCreate),
		After:    crud.Remember(rules.RecordCreate(rules.Private{Ports: portsOf(ctx, c, planned)}, planned, images)),
		Adopted:  crud.Remember(rules.RecordCreate(rules.Private{}, planned, images)), // the ports of its app image when it was created are not known
	}
	if planned.WaitForRollout().ValueBool() {
		op.Watch = watch(c, &target)
	}
	return op
}

func prepareUpdate(ctx context.Context, c *run.Run, change crud.Change[object], diags *diag.Diagnostics) (op crud.Operation[object]) {
	u := pendingUpdate{planned: rules.Of(change.Value), prior: rules.Of(change.Prior), config: rules.Of(change.Config), private: privateOf(change.Memory, change.Imported)}
	live := &liveServing{api: c.Kuscia, id: u.prior.ServingID().ValueString()}
	desired, before, ok := configTexts(keepSecret(ctx, u.prior), live, u.planned, u.prior, u.config, u.private, diags)
	if !ok {
		return op
	}
	// The texts from before the update are Kuscia's until it has it, and in its late responses.
	masked := func(ctx context.Context) context.Context {
		return keepSecret(keepSecret(keepSecret(ctx, u.prior), before), desired)
	}
	ctx = masked(ctx)
	u.desired = completePods(ctx, c, desired, u.config, &before, u.private, diags)
	if u.planned = u.planned.WithParties(u.desired.Parties()); diags.HasError() {
		return op
	}
	u.update = rules.UpdateOf(u.desired, before, u.private, diags)
	if diags.HasError() {
		return op
	}
	op = crud.Operation[object]{Planned: u.planned.Value(), Desired: rules.Definition.Filled(u.desired.Value(), change.Prior), Context: masked}
	if !u.update.Sends() {
		return u.resume(ctx, c, live, op, definition.WaitsInUpdate(change.Value, change.Prior, rules.MayHaveSentText(u.planned, u.prior)), diags)
	}
	op.End = func() { u.slot.Release() }
	u.check(ctx, c, live, diags)
	if diags.HasError() {
		return op
	}
	return u.operation(ctx, c, live, op)
}

// resume returns an update that sends nothing, and waits if the serving has not been observed to
// run yet, or may have got its text by an apply that was killed.
func (u *pendingUpdate) resume(ctx context.Context, c *run.Run, live *liveServing, op crud.Operation[object], waits bool, diags *diag.Diagnostics) crud.Operation[object] {
	after := u.private.AfterUpdate(u.config)
	op.After = crud.Remember(after)
	if !waits {
		return op
	}
	checkUnchangedSincePlan(ctx, live, u.desired, nil, false, after, diags)
	if diags.HasError() {
		return op
	}
	target := rules.ResumedTarget(u.planned, after)
	target.Observer = observerFor(ctx, c, u.planned, live, diags)
	op.Watch = watch(c, &target)
	return op
}

// operation completes an update that was checked.
func (u *pendingUpdate) operation(ctx context.Context, c *run.Run, live *liveServing, op crud.Operation[object]) crud.Operation[object] {
	images := c.AppImages.Lookup(ctx)
	before := statusBefore(ctx, c, live)
	private := rules.ForgetStarted(u.private, u.prior, before)
	target := rules.UpdateTarget(u.planned, u.prior, private, before)
	target = rules.AddNotStarted(private, rules.AddMaybeApplied(private, target, u.planned), u.planned)
	target.Since, target.Observer, target.Slot = time.Now(), u.observer, u.slot
	pending := rules.NewPendingRollout(target)
	after := rules.RecordUpdate(private.AfterUpdate(u.config), u.desired, images)
	after.Rollout = after.Rollout.Merge(pending)
	private.Rollout = private.Rollout.Merge(pending).WithReachableSince(time.Time{})
	op.Before, op.After, op.IfUnknown = crud.Remember(private), crud.Remember(after), u.unsure()
	op.Update = func(ctx context.Context) (crud.Sent, error) {
		err := c.Kuscia.UpdateServing(ctx, u.request)
		target.Since = time.Now()
		return crud.Sent{Desired: op.Desired}, withDeletedHint(live.id, err)
	}
	if u.planned.WaitForRollout().ValueBool() {
		op.Watch = watch(c, &target)
	}
	return op
}

// unsure is the state after an update with an unknown outcome: its rollout is not complete, and
// Kuscia may not have the write-only text of the state, unless the update sent that again. The next read must not report that as
// drift, and the next plan must not assume that Kuscia has the text of this version.
func (u *pendingUpdate) unsure() definition.Value {
	unsure := u.prior
	if u.request.ServingInputConfig != "" && !u.planned.ServingInputConfigVersion().Equal(u.prior.ServingInputConfigVersion()) {
		unsure = rules.MarkConfigUnsure(unsure)
	}
	return definition.BeforeWait(unsure.Value())
}

// statusBefore returns the status before an update. If Kuscia cannot return the
// serving, for example because its app image was deleted, only its status is
// queried. A failure does not prevent the update: the wait then requires that the rollout start of
// every party is observed.
func statusBefore(ctx context.Context, c *run.Run, live *liveServing) *servingstatus.Snapshot {
	if response, err := live.get(ctx); err == nil {
		return &servingstatus.Snapshot{Status: response.Status}
	}
	statuses, err := c.Kuscia.BatchQueryServingStatus(ctx, []string{live.id})
	if err != nil {
		tflog.Warn(ctx, fmt.Sprintf("serving %s: the status before the update could not be queried", live.id), map[string]any{"serving_id": live.id, "error": err.Error()})
		return nil
	}
	for _, status := range statuses {
		if status.ServingID == live.id {
			return &servingstatus.Snapshot{Status: status.Status}
		}
	}
	return nil
}
