package crud

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Update is an update of an object.
type Update[W any] struct {
	ID ID
	// Desired is the planned object, Before the one in the state, without write-only values.
	Desired, Before *W
	// Sent are the changed attributes that have to be sent.
	Sent []path.Path
	// Compare compares an object with the state, right before the update writes to the
	// version of it that was read. An object that another client has changed since the plan
	// is an error. done is set for an object that is already as planned, since the response
	// to an earlier write was lost; again is set for all but the first attempt. desired is
	// the planned object, with the write-only values of the one that was read where their
	// version has not changed.
	Compare func(found *W, again bool) (desired *W, done bool, err error)
}

// update is an update while it is made.
type update[W any] struct {
	id                     ID
	planned, prior, config definition.Value
	sent                   []path.Path
	// desired is the plan with its write-only values.
	desired definition.Value
}

// Update sends the planned changes. If it fails, the prior state is kept, and
// the next plan shows the values on the server.
func (r *Resource[W]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	o := r.object
	planned, prior := req.Plan.Raw, req.State.Raw
	id, _ := o.Identity.of(prior)
	resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	memory, _ := o.corrected(o.loadMemory(ctx, req.Private, &resp.Diagnostics))
	if resp.Diagnostics.HasError() {
		return
	}
	before := loadStale(ctx, req.Private, &resp.Diagnostics)
	next := flags.afterUpdate(o.Definition, req.Config.Raw, planned)
	change := o.change(planned, prior, req.Config.Raw, memory, true)
	change.Sent, change.Imported, change.NotReady = o.Definition.Sent(prior, planned), flags.Imported, flags.NotReady
	ctx, cancel := o.limited(ctx, planned, definition.OnUpdate)
	defer cancel()
	defer o.recordInState(r.Run, prior)
	if len(change.Sent) > 0 {
		o.checkNeeds(ctx, r.Run, change, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	op := o.steps.Prepare(ctx, r.Run, *change, &resp.Diagnostics)
	defer op.end()
	ctx = op.with(ctx)
	if resp.Diagnostics.HasError() {
		return
	}
	what, since := resumedObject, before
	if op.Update != nil {
		what = updatedObject
		defer o.countWrite(r.Run, id, change.Before)()
		if op.waits() && o.Wait != nil {
			since = o.Wait.Fresh.before(ctx, r.Run, change, before)
		}
		sent, ok := r.send(ctx, op, flags, since, resp)
		if !ok {
			return
		}
		op.Desired = sent.Desired
		next.HiddenFields = flags.HiddenFields && (sent.InCluster || !o.CustomResource.RemovesAny(o.changeOf(ctx, r.Run, id, change.Desired, change.Before)))
	}
	resp.State.Raw = o.beforeWait(o.Definition.Filled(op.Planned, prior), prior, op.waits())
	o.saveMemory(ctx, resp.Private, op.After, &resp.Diagnostics)
	if op.Update != nil || op.waits() || !op.Planned.IsFullyKnown() {
		w := Watched[W]{ID: id, Planned: op.Planned, Desired: op.Desired, Memory: op.After, Updated: true, Stale: since}
		r.finish(ctx, w, what, op, &resp.State, resp.Private, &resp.Diagnostics)
		next.NotReady = o.remembersNotReady() && resp.Diagnostics.HasError()
	}
	resp.Diagnostics.Append(since.save(ctx, resp.Private, next.NotReady, before != nil)...)
	resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
}

// send sends an update. ok is false after an error. What is not certain then is saved.
func (r *Resource[W]) send(ctx context.Context, op Operation[W], flags Flags, since *stale, resp *resource.UpdateResponse) (sent Sent, ok bool) {
	o := r.object
	sent, err := op.Update(ctx)
	if o.Wait != nil {
		o.Wait.Fresh.sent(since)
	}
	if err == nil {
		return sent, true
	}
	o.fail(ctx, r.Run, &resp.Diagnostics, "Unable to update "+o.Title, err)
	if o.Server.Errors.OutcomeUnknown(err) {
		resp.State.Raw = op.IfUnknown
		o.saveMemory(ctx, resp.Private, op.Before, &resp.Diagnostics)
		if o.remembersNotReady() {
			next := flags
			next.NotReady = true // it may have been carried out
			resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
			resp.Diagnostics.Append(since.save(ctx, resp.Private, true, true)...)
		}
	}
	return sent, false
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
