package crud

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// declared are the steps that follow from the declarations of a Spec.
type declared[W any] struct{ o *Object[W] }

func (d declared[W]) API(c *run.Run, _ definition.Value) API[W] { return d.o.Spec.API(c) }

func (d declared[W]) Validate(config definition.Value) diag.Diagnostics {
	diags := check.Validate(d.o.Issues(d.o.Definition.MarkUnsetSecretsUnknown(config)))
	for _, problem := range d.o.Definition.Problems(config) {
		diags.AddAttributeError(problem.Path, problem.Summary, check.WithPath(problem.Path, problem.Detail))
	}
	return diags
}

func (d declared[W]) Plan(_ context.Context, _ *run.Run, from Planned) Planned {
	from.Plan = d.o.Definition.Plan(from.Config, from.Prior, definition.PlanOptions{Imported: from.Imported, ReplaceAll: d.o.Writes.ReplaceAll})
	return from
}

func (d declared[W]) Read(ctx context.Context, c *run.Run, w Watched[W]) (found *W, unchanged bool, err error) {
	found, err = d.o.readTogether(ctx, c, w.ID, w.Planned)
	return found, false, err
}

func (d declared[W]) ReadsAs(ctx context.Context, c *run.Run, w Watched[W], found *W) bool {
	return d.o.Definition.ReadsAs(d.o.tree(w.ID, d.o.current(found, w.Memory), w.Planned), w.Planned) && bytes.Equal(d.o.observed(ctx, c, w, found), w.Memory)
}

func (d declared[W]) Refresh(ctx context.Context, c *run.Run, w Watched[W], found *W, _ *diag.Diagnostics) (definition.Value, Memory) {
	return d.o.Definition.Refreshed(d.o.valueOf(w.ID, d.o.current(found, w.Memory), w.Planned), w.Planned), d.o.observed(ctx, c, w, found)
}

func (d declared[W]) Differences(desired definition.Value, id ID, found *W, memory Memory) []path.Path {
	return d.o.Definition.Differences(desired, d.o.valueOf(id, d.o.current(found, memory), desired))
}

func (d declared[W]) UnmanagedDifferences(context.Context, *run.Run, definition.Value, *W) []path.Path {
	return nil
}

// Prepare returns the change that follows from the plan, made by the calls of the API.
func (d declared[W]) Prepare(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W] {
	if change.Prior.IsNull() {
		return d.o.prepareCreate(ctx, c, change, diags)
	}
	return d.o.prepareUpdate(ctx, c, change, diags)
}

func (o *Object[W]) prepareCreate(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W] {
	op := Operation[W]{Planned: change.Value, Desired: o.Definition.WithSecrets(change.Value, change.Config, change.Prior, change.Prior)}
	if o.enablesWait(change.Value) {
		op.Watch = o.watch(c)
	}
	diags.Append(o.refuseUnsent(change.Value, change.Config, change.Prior, change.Prior)...)
	wire, more := o.Request(op.Desired, change.Config)
	op.Create = wire
	if diags.Append(more...); diags.HasError() || !o.Server.Ready(c, diags) {
		return op
	}
	if CheckReferences(ctx, c, InApply, o.newReferences(&change), diags); !diags.HasError() {
		op.After = o.remember(ctx, c, &change, diags)
	}
	return op
}

// prepareUpdate prepares an update, which sends nothing if only attributes change that are not
// sent, and then may have to wait for a rollout that was not observed.
func (o *Object[W]) prepareUpdate(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W] {
	if len(change.Sent) == 0 {
		change.Memory = o.before(ctx, c, &change, diags)
	}
	op := Operation[W]{Planned: change.Value, Desired: change.Value, Before: change.Memory, After: change.Memory}
	if o.waitsInUpdate(&change) {
		op.Watch = o.watch(c)
	}
	if len(change.Sent) == 0 && !op.waits() {
		op.Planned = o.Definition.Filled(change.Value, change.Prior)
		return op
	}
	if !o.Server.Ready(c, diags) {
		return op
	}
	u := &update[W]{id: change.ID, planned: change.Value, prior: change.Prior, config: change.Config, sent: change.Sent}
	wire, ok := o.desired(ctx, c, u, diags)
	if op.Desired = u.desired; !ok {
		return op
	}
	if len(change.Sent) == 0 {
		o.compareResumed(ctx, c, u, diags)
		return op
	}
	if CheckReferences(ctx, c, InApply, o.newReferences(&change), diags); diags.HasError() {
		return op
	}
	if op.After = o.remember(ctx, c, &change, diags); diags.HasError() {
		return op
	}
	op.Planned, op.Before, op.IfUnknown = change.Value, op.After, o.stateIfUnknown(u)
	op.Update = func(ctx context.Context) (Sent, error) {
		inCluster, err := o.sendUpdate(ctx, c, u, wire, change.Before)
		return Sent{u.desired, inCluster}, err
	}
	return op
}

// compareResumed compares an object with the state before a wait for it.
func (o *Object[W]) compareResumed(ctx context.Context, c *run.Run, u *update[W], diags *diag.Diagnostics) {
	if !o.Writes.CompareFirst {
		return
	}
	found, err := o.steps.API(c, u.prior).Query(ctx, u.id)
	if err == nil {
		_, _, err = o.compare(u, found, false)
	}
	if err != nil {
		o.fail(ctx, c, diags, "Unable to update "+o.Title, err)
	}
}
