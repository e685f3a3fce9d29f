package serving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Update sends what changed, and only if Kuscia stores it.
func (r *servingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var planned, prior, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &prior)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	private, _ := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	ctx = keepSecret(ctx, prior)
	validateConfigForms(config, &resp.Diagnostics)
	timeout, diags := config.Timeouts.Update(ctx, defaultRolloutTimeout)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{prior.ServingID})...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	live := &liveServing{api: r.clients.API, id: prior.ServingID.ValueString()}
	wanted, before, ok := configTexts(ctx, live, planned, prior, config, &resp.Diagnostics)
	if !ok {
		return
	}
	ctx = keepSecret(keepSecret(ctx, before), wanted)
	request, redeploy := planUpdateCall(wanted, before, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if request == nil && !redeploy {
		private = private.afterUpdate(config)
		if resumesRollout(planned, prior) {
			checkUnchangedSincePlan(ctx, live, wanted, nil, false, private, &resp.Diagnostics)
		}
		if !resp.Diagnostics.HasError() {
			r.updateState(ctx, planned, prior, wanted, private, resp)
		}
		return
	}
	u := sentUpdate{planned: planned, prior: prior, config: config, wanted: wanted, private: private}
	if u.request = r.prepareUpdate(ctx, live, u, request, redeploy, &resp.Diagnostics); u.request == nil {
		return
	}
	r.send(ctx, u, live, resp)
}

// sentUpdate is an update that Kuscia is told about. wanted is planned with
// the text that plan and state do not hold.
type sentUpdate struct {
	planned, prior, config, wanted model

	private privateData
	request *kuscia.UpdateServingRequest
}

// prepareUpdate checks an update against the serving and its app images as they
// are now, and completes the request. It is nil after an error.
func (r *servingResource) prepareUpdate(ctx context.Context, live *liveServing, u sentUpdate, request *kuscia.UpdateServingRequest, redeploy bool, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	checkUpdate(ctx, r.clients, u.planned, u.prior, u.private, diags)
	if !diags.HasError() {
		checkUnchangedSincePlan(ctx, live, u.wanted, request, redeploy, u.private.afterUpdate(u.config), diags)
	}
	if diags.HasError() {
		return nil
	}
	if redeploy {
		return r.redeployRequest(ctx, live, u.wanted, request, diags)
	}
	return request
}

// send sends an update, saves it, and only then waits for its rollout.
func (r *servingResource) send(ctx context.Context, u sentUpdate, live *liveServing, resp *resource.UpdateResponse) {
	id := u.prior.ServingID.ValueString()
	images := r.clients.AppImages.Known(ctx)
	target := updateTarget(u.planned, u.prior, u.request, imageChanges(ctx, r.clients.AppImages), r.before(ctx, live))
	target = u.private.knownRollouts(target, u.planned, images)
	target.Since = time.Now()
	pending := newRollout(target)
	u.private = u.private.afterSending()
	if err := r.clients.API.UpdateServing(ctx, u.request); err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to update serving "+id, goneSincePlan(id, err))
		if apierror.OutcomeUnknown(err) {
			r.saveUnsure(ctx, u, pending, resp)
		}
		return
	}
	target.Since = time.Now()
	private := u.private.afterUpdate(u.config).rolledOutTo(u.wanted, images)
	private.Rollout = private.Rollout.merge(pending)
	state := settleUnread(beforeWait(u.planned))
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	if u.planned.WaitForRollout.ValueBool() {
		if private = r.awaitUpdated(ctx, target, private, updatedNotRunning, resp); resp.Diagnostics.HasError() {
			return
		}
	}
	r.readBack(ctx, u.planned, u.wanted, private, &resp.State, resp.Private, &resp.Diagnostics)
}

// before is the status before an update. A serving that Kuscia cannot show has
// one all the same.
func (r *servingResource) before(ctx context.Context, live *liveServing) *wait.Snapshot {
	if answer, err := live.get(ctx); err == nil {
		return &wait.Snapshot{Status: answer.Status}
	}
	return r.snapshot(ctx, live.id)
}

// saveUnsure saves that nobody knows whether an update happened: its rollout is
// not over, and a hidden text is maybe not the one of the state, which the next
// read must not take for a difference, nor the next plan its version for what
// Kuscia has.
func (r *servingResource) saveUnsure(ctx context.Context, u sentUpdate, pending *rollout, resp *resource.UpdateResponse) {
	unsure := beforeWait(u.prior)
	if u.request.ServingInputConfig != "" && (u.prior.hidesConfig() || u.planned.hidesConfig()) {
		unsure = stale(unsure)
	}
	u.private.Rollout = u.private.Rollout.merge(pending).steadySince(time.Time{})
	resp.Diagnostics.Append(resp.State.Set(ctx, &unsure)...)
	savePrivate(ctx, resp.Private, u.private, &resp.Diagnostics)
}

// notRunning is what is said of a serving whose wait ended before it ran: a
// summary with its id in place of the verb, and what became of it.
type notRunning struct{ summary, note string }

const unfinishedNote = " As long as the serving does not run, rollout_complete is false: the next plan shows that, and its apply changes nothing, waits, and fails again."

var (
	updatedNotRunning = notRunning{"Serving %s was updated and does not run",
		"Kuscia has stored the new specification, and so has the state. Nothing is rolled back." + unfinishedNote}
	stillNotRunning = notRunning{"Serving %s does not run",
		"Nothing was sent: Kuscia has the specification already." + unfinishedNote}
)

// awaitUpdated waits for a rollout whose state is saved, and saves what was seen
// of one that did not end.
func (r *servingResource) awaitUpdated(ctx context.Context, target wait.Target, private privateData, failed notRunning, resp *resource.UpdateResponse) privateData {
	result, err := r.clients.Readiness.WaitRunning(ctx, target)
	private = private.afterWait(err)
	warnNotSeen(&resp.Diagnostics, target.ServingID, result.NotSeen)
	if err != nil {
		savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
		addErrorWithNote(&resp.Diagnostics, fmt.Sprintf(failed.summary, target.ServingID), err, failed.note)
	}
	return private
}

// updateState stores an update of which Kuscia needs to know nothing. It waits
// where nobody has seen yet that the serving runs.
func (r *servingResource) updateState(ctx context.Context, planned, prior, wanted model, private privateData, resp *resource.UpdateResponse) {
	if resumesRollout(planned, prior) {
		state := settleUnread(beforeWait(planned))
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
		savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
		if private = r.awaitUpdated(ctx, resumedTarget(planned, private), private, stillNotRunning, resp); resp.Diagnostics.HasError() {
			return
		}
	}
	if planned.Endpoints.IsUnknown() || planned.CreateTime.IsUnknown() {
		r.readBack(ctx, planned, wanted, private, &resp.State, resp.Private, &resp.Diagnostics)
		return
	}
	planned = settleUnread(planned)
	resp.Diagnostics.Append(resp.State.Set(ctx, &planned)...)
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
}

// redeployRequest adds to a request what rolls every party: the configuration
// with other white space than the text that Kuscia has.
func (r *servingResource) redeployRequest(ctx context.Context, live *liveServing, wanted model, request *kuscia.UpdateServingRequest, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	if !redeployable(wanted.ServingInputConfig) {
		// It was unknown when the configuration was validated, or is hidden and
		// was changed by somebody else.
		addNotRedeployable(diags)
		return nil
	}
	id := wanted.ServingID.ValueString()
	answer, err := live.get(ctx)
	if request != nil && hiddenByImage(err) {
		// An app image with a new name is replaced before the servings change
		// over to it, and Kuscia cannot show a serving whose app image is gone.
		if err = r.clients.API.UpdateServing(ctx, request); err == nil {
			request = nil
			answer, err = r.clients.API.QueryServing(ctx, id)
		}
	}
	if err != nil {
		clients.AddAttributeError(diags, path.Root("redeploy_triggers"), "Unable to read serving "+id+" before restarting its pods", goneSincePlan(id, err))
		return nil
	}
	if request == nil {
		request = &kuscia.UpdateServingRequest{ServingID: id}
	}
	request.ServingInputConfig = respell(wanted.ServingInputConfig.ValueString(), answer.ServingInputConfig)
	return request
}

// hiddenByImage reports whether a serving exists and cannot be shown, because an
// app image of it is gone or has no template for a role any more.
func hiddenByImage(err error) bool {
	return errors.Is(err, kuscia.ErrAppImageMissing) || errors.Is(err, kuscia.ErrTemplateMissing)
}

// readBack asks for the serving as it is now and stores it. The values of the
// plan stay as they are spelled; one that did not take effect is an error.
// wanted is the plan with the text that was sent.
func (r *servingResource) readBack(ctx context.Context, planned, wanted model, private privateData, state *tfsdk.State, to privateSetter, diags *diag.Diagnostics) {
	id := planned.ServingID.ValueString()
	answer, err := r.clients.API.QueryServing(ctx, id)
	if err != nil {
		diags.AddWarning("Serving "+id+" could not be read back",
			err.Error()+"\n\nThe change itself succeeded. What only Kuscia knows, such as endpoints, is filled in by the next refresh.")
		settled := settleUnread(planned)
		diags.Append(state.Set(ctx, &settled)...)
		savePrivate(ctx, to, private, diags)
		return
	}
	settled, next, mismatches := settle(planned, wanted, answer, private, sourcesOf(ctx, r.clients))
	if len(mismatches) > 0 {
		diags.AddError("Serving "+id+" is not as planned", fmt.Sprintf(
			"Kuscia reports something else than what was sent, in %s. Another writer may have changed the serving, or Kuscia ignored a part of the request. The state has what Kuscia reports; plan again to see the difference.", joined(mismatches)))
	}
	diags.Append(state.Set(ctx, &settled)...)
	savePrivate(ctx, to, next, diags)
}
