package crud

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
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

// update is an update while it is made.
type update[W any] struct {
	id                     ID
	planned, prior, config definition.Value
	sent                   []path.Path
	// desired is the plan with its write-only values.
	desired definition.Value
}

// desired returns the request of an update. ok is false after an error.
func (o *Object[W]) desired(ctx context.Context, c *run.Run, u *update[W], diags *diag.Diagnostics) (wire *W, ok bool) {
	current := o.Definition.Null()
	if !o.Writes.CompareFirst && o.Definition.KeepsSecrets(u.planned, u.prior) {
		// An update contains the whole object. The version of a write-only
		// value has not changed, so the value on the server is sent again.
		found, err := o.steps.API(c, u.prior).Query(ctx, u.id)
		if err != nil {
			o.fail(ctx, c, diags, "Unable to read "+o.Title+" before updating it", err)
			return nil, false
		}
		current = o.valueOf(u.id, found, u.prior)
	}
	wire, more := o.desire(u, current)
	diags.Append(more...)
	return wire, !diags.HasError()
}

// desire sets the desired values of an update, and returns the request. current is the
// object on the server, null if it need not be known.
func (o *Object[W]) desire(u *update[W], current definition.Value) (*W, diag.Diagnostics) {
	u.desired = o.Definition.WithSecrets(o.Definition.OmitUnmanaged(u.planned, u.config), u.config, u.prior, current)
	if len(u.sent) > 0 {
		if diags := o.refuseUnsent(u.planned, u.config, u.prior, current); diags.HasError() {
			return nil, diags
		}
	}
	return o.Request(u.desired, u.config)
}

// checkUnsent refuses the plan of an update that sends the whole object if it needs a write-only
// value that neither the configuration nor the server has. A server that cannot be asked is left
// to the apply.
func (o *Object[W]) checkUnsent(ctx context.Context, c *run.Run, config, planned, prior definition.Value) diag.Diagnostics {
	if prior.IsNull() || !o.makesRequests() || len(o.Definition.UnsentSecrets(planned, config, prior, o.Definition.Null())) == 0 {
		return nil
	}
	var unused diag.Diagnostics
	if c == nil || !o.Server.Ready(c, &unused) {
		return nil
	}
	id, _ := o.Identity.of(prior)
	found, err := o.steps.API(c, prior).Query(ctx, id)
	if err != nil {
		return nil
	}
	return o.refuseUnsent(planned, config, prior, o.valueOf(id, found, prior))
}

// refuseUnsent refuses to send an object without a write-only value. current is the one on the
// server, null if there is none.
func (o *Object[W]) refuseUnsent(planned, config, prior, current definition.Value) (diags diag.Diagnostics) {
	definition.RefuseUnsentSecrets(o.Title, o.Server.Name, o.Definition.UnsentSecrets(planned, config, prior, current), &diags)
	return diags
}

// sendUpdate sends an update.
func (o *Object[W]) sendUpdate(ctx context.Context, c *run.Run, u *update[W], desired, before *W) (inCluster bool, err error) {
	if inCluster, err = o.updateInCluster(ctx, c, u, desired, before); inCluster || err != nil {
		return inCluster, err
	}
	api := o.steps.API(c, u.prior)
	compare := func(found *W, again bool) (*W, bool, error) { return o.compare(u, found, again) }
	if api.UpdateObject != nil {
		return false, api.UpdateObject(ctx, Update[W]{ID: u.id, Desired: desired, Before: before, Sent: u.sent, Compare: compare})
	}
	return false, api.Update(ctx, desired, before)
}

// compare implements Update.Compare.
func (o *Object[W]) compare(u *update[W], found *W, again bool) (desired *W, done bool, err error) {
	if o.isDeleting(found) {
		return nil, false, o.deletingError(u.id)
	}
	current := o.valueOf(u.id, found, u.prior)
	desired, more := o.desire(u, current)
	if more.HasError() {
		return nil, false, fmt.Errorf("%s", more[0].Detail())
	}
	changed := o.Definition.Differences(u.prior, current)
	if len(u.sent) > 0 && (again || len(changed) > 0) && len(o.steps.Differences(u.desired, u.id, found, nil)) == 0 {
		return desired, true, nil
	}
	if len(changed) > 0 {
		return nil, false, changedError{changed}
	}
	return desired, false, nil
}

// changedError is returned if an object was changed since the plan.
type changedError struct{ at []path.Path }

// Error lists the changed attributes.
func (e changedError) Error() string {
	var attributes []string
	for _, at := range e.at[:min(len(e.at), 10)] {
		attributes = append(attributes, at.String())
	}
	return fmt.Sprintf("another client has changed the object since the plan, in %s; nothing was sent. Plan again to see the current values", strings.Join(attributes, ", "))
}

// stateIfUnknown returns the state after an update with an unknown outcome: the next plan compares the
// object with it.
func (o *Object[W]) stateIfUnknown(u *update[W]) definition.Value {
	state := u.prior
	if o.Definition.ChangesSecrets(u.planned, u.prior) {
		// The prior version may no longer match the value on the server.
		state = o.Definition.InvalidateVersions(state)
	}
	if o.Rollout != nil && o.restarts(u.sent) && !definition.At(state, definition.AttrRolloutComplete).IsNull() {
		state = definition.BeforeWait(state)
	}
	return state
}

// updateInCluster makes an update through the Kubernetes API where it has to, see
// manifest.CustomResource. done is false if it has made none.
func (o *Object[W]) updateInCluster(ctx context.Context, c *run.Run, u *update[W], desired, before *W) (done bool, err error) {
	r := o.CustomResource
	if r == nil || r.Manifest == nil || !c.HasKubernetes() {
		return false, nil
	}
	change := o.changeOf(ctx, c, u.id, desired, before)
	change.CanKeep = true
	if !o.Writes.ReplaceAll && !r.RemovesAny(change) {
		return false, nil
	}
	look := func(ctx context.Context) (manifest.Seen, error) { return o.look(ctx, c, u.id, u.prior) }
	return r.Update(ctx, look, change, o.Writes.ReplaceAll, allowed(u.planned))
}
