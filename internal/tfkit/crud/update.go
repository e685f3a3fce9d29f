package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

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
