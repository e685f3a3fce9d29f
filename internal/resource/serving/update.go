package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Update sends the changed attributes, if Kuscia stores any of them.
func (r *servingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	planned, prior, config := rules.Of(req.Plan.Raw), rules.Of(req.State.Raw), rules.Of(req.Config.Raw)
	private, _ := rules.PrivateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Clients.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	ctx = keepSecret(ctx, prior)
	resp.Diagnostics.Append(rules.Validate(req.Config.Raw)...) // a value may have been unknown before
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(prior.ServingID.ValueString()))...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rules.Definition.Timeout(req.Config.Raw, definition.OnUpdate))
	defer cancel()

	live := &liveServing{api: r.Clients.Kuscia, id: prior.ServingID.ValueString()}
	desired, before, ok := configTexts(ctx, live, planned, prior, config, private, &resp.Diagnostics)
	if !ok {
		return
	}
	ctx = keepSecret(keepSecret(ctx, before), desired)
	desired = completeImages(ctx, r.Clients, desired, config, &before, private, &resp.Diagnostics)
	if planned.Parties = desired.Parties; resp.Diagnostics.HasError() {
		return
	}
	request, redeploy := rules.UpdateCall(desired, before, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if request == nil && !redeploy {
		private = private.AfterUpdate(config)
		if rules.ResumesRollout(planned, prior) {
			checkUnchangedSincePlan(ctx, live, desired, nil, false, private, &resp.Diagnostics)
		}
		if !resp.Diagnostics.HasError() {
			r.updateState(ctx, live, planned, prior, desired, private, resp)
		}
		return
	}
	u := pendingUpdate{planned: planned, prior: prior, config: config, desired: desired, private: private}
	defer func() { u.slot.Release() }()
	if r.prepareUpdate(ctx, live, &u, request, redeploy, &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	r.send(ctx, u, live, resp)
}

// configTexts completes the planned and the prior serving with the texts that
// are in neither plan nor state, as far as an update needs them. A write-only
// text with an unchanged version stays the text in Kuscia, whatever the
// configuration has now. ok is false after an error.
func configTexts(ctx context.Context, live *liveServing, planned, prior, config rules.Serving, private rules.Private, diags *diag.Diagnostics) (desired, before rules.Serving, ok bool) {
	sameVersion := planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	desired, before = planned, prior
	if !sameVersion {
		desired = rules.Desired(planned, config)
	}
	// A text that becomes write-only is not compared with Kuscia's any more after this
	// update, and that in the state may be outdated.
	hides := !sameVersion && planned.ConfigIsWriteOnly()
	if !hides && (!prior.ConfigIsWriteOnly() || sameVersion && !rules.Redeploys(planned, prior, private)) {
		return desired, before, true
	}
	current, err := live.get(keepSecret(ctx, desired))
	if unreadableWithoutImage(err) && !sameVersion {
		before.ServingInputConfig = types.StringNull()
		return desired, before, true // the text is sent whatever Kuscia has
	}
	if err != nil {
		cause, doing := path.Root(rules.AttrConfigVersion), "changing its configuration text"
		if sameVersion {
			cause, doing = rules.RedeployCause(planned, prior), "restarting its pods"
			err = withNewVersionHint(err)
		}
		clients.AddAttributeError(diags, cause, "Unable to read serving before updating it", fmt.Errorf("before %s: %w", doing, withDeletedHint(live.id, err)))
		return desired, before, false
	}
	before.ServingInputConfig = types.StringValue(current.ServingInputConfig)
	if sameVersion {
		desired.ServingInputConfig = before.ServingInputConfig
	}
	return desired, before, true
}

// pendingUpdate is an update that is sent to Kuscia. desired is planned with
// the text that is in neither plan nor state.
type pendingUpdate struct {
	planned, prior, config, desired rules.Serving

	private rules.Private
	request *kuscia.UpdateServingRequest
	// observer is what the wait observes in addition to the status; nil for
	// nothing.
	observer wait.DeploymentObserver
	// slot is that of an update whose start has to be observed; nil for others.
	slot *wait.StartSlot
}

// prepareUpdate checks an update against the serving and its app images in
// Kuscia, and completes the request and the data for the wait.
func (r *servingResource) prepareUpdate(ctx context.Context, live *liveServing, u *pendingUpdate, request *kuscia.UpdateServingRequest, redeploy bool, diags *diag.Diagnostics) {
	checkParties(ctx, r.Clients, plannedChange{u.planned, &u.prior, u.private, true}, diags)
	if !diags.HasError() {
		began := time.Now()
		if u.planned.WaitForRollout.ValueBool() && !r.Clients.HasKubernetes() {
			u.slot = r.Clients.ServingPoller.AcquireStart(ctx)
		}
		awaitRolloutControl(ctx, r.Clients, u, redeploy, diags)
		if time.Since(began) > time.Second {
			live.invalidate() // it may have changed during the wait
		}
	}
	if !diags.HasError() {
		checkUnchangedSincePlan(ctx, live, u.desired, request, redeploy, u.private.AfterUpdate(u.config), diags)
	}
	if !diags.HasError() {
		u.observer = observerFor(ctx, r.Clients, u.planned, live, diags)
	}
	if u.request = request; redeploy && !diags.HasError() {
		u.request = r.redeployRequest(ctx, live, u.desired, rules.RedeployCause(u.planned, u.prior), request, diags)
	}
}

// send sends an update, saves the state, and then waits for the rollout.
func (r *servingResource) send(ctx context.Context, u pendingUpdate, live *liveServing, resp *resource.UpdateResponse) {
	id := u.prior.ServingID.ValueString()
	images := r.Clients.AppImages.Lookup(ctx)
	before := r.statusBefore(ctx, live)
	u.private = rules.ForgetStarted(u.private, u.prior, before)
	target := rules.UpdateTarget(u.planned, u.prior, u.request, imageChanges(ctx, r.Clients.AppImages), before)
	target = rules.AddNotStarted(u.private, rules.AddPendingImageChanges(u.private, target, u.planned, images), u.planned)
	target.Since, target.Observer, target.Slot = time.Now(), u.observer, u.slot
	pending := rules.NewPendingRollout(target)
	if err := r.Clients.Kuscia.UpdateServing(ctx, u.request); err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to update serving", withDeletedHint(id, err))
		if apierror.OutcomeUnknown(err) {
			r.saveUnknownOutcome(ctx, u, pending, resp)
		}
		return
	}
	target.Since = time.Now()
	private := rules.RecordUpdate(u.private.AfterUpdate(u.config), u.desired, images)
	private.Rollout = private.Rollout.Merge(pending)
	state := rules.ResolveComputedWithoutRead(rules.BeforeWait(u.planned))
	resp.State.Raw = state.Value()
	rules.PrivateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	outcome := applyResult{planned: u.planned, private: private}
	if u.planned.WaitForRollout.ValueBool() {
		if outcome = r.await(ctx, target, outcome, updatedNotRunning, resp.Private, &resp.Diagnostics); resp.Diagnostics.HasError() {
			return
		}
	}
	r.readBack(ctx, outcome, u.desired, &resp.State, resp.Private, &resp.Diagnostics)
}

// statusBefore returns the status before an update. If Kuscia cannot return the
// serving, for example because its app image was deleted, only its status is
// queried.
func (r *servingResource) statusBefore(ctx context.Context, live *liveServing) *wait.Snapshot {
	if response, err := live.get(ctx); err == nil {
		return &wait.Snapshot{Status: response.Status}
	}
	return r.queryStatusSnapshot(ctx, live.id)
}

// saveUnknownOutcome saves that it is unknown whether an update took effect: its
// rollout is not complete, and Kuscia may not have the write-only text of the
// state. The next read must not report that as drift, and the next plan must not
// assume that Kuscia has the text of this version.
func (r *servingResource) saveUnknownOutcome(ctx context.Context, u pendingUpdate, pending *rules.PendingRollout, resp *resource.UpdateResponse) {
	unsure := rules.BeforeWait(u.prior)
	if u.request.ServingInputConfig != "" && (u.prior.ConfigIsWriteOnly() || u.planned.ConfigIsWriteOnly()) {
		unsure = rules.MarkConfigUnsure(unsure)
	}
	u.private.Rollout = u.private.Rollout.Merge(pending).WithReachableSince(time.Time{})
	resp.State.Raw = unsure.Value()
	rules.PrivateKey.Save(ctx, resp.Private, u.private, &resp.Diagnostics)
}

// notRunning describes a serving whose wait ended before it ran: what was done, and what
// was saved. mayRun is set if a cluster that cannot show whether the serving runs is only a
// warning: an error would taint a new serving that may be running.
type notRunning struct {
	did, note string
	mayRun    bool
}

const notCompleteNote = " As long as the serving does not run, rollout_complete is false: the next plan shows that, and its apply changes nothing, waits, and fails again."

var (
	createdNotRunning = notRunning{
		did: " was created", mayRun: true,
		note: "The serving is kept in the state and marked as tainted: the next apply replaces it. If it recovers in the meantime, run terraform untaint to keep it.",
	}
	updatedNotRunning = notRunning{did: " was updated",
		note: "The new specification is stored in Kuscia and in the state. Nothing is rolled back." + notCompleteNote}
	stillNotRunning = notRunning{
		note: "Nothing was sent: Kuscia already has this specification." + notCompleteNote}
)

// applyResult is what an accepted create or update has led to so far, and what is
// saved of it.
type applyResult struct {
	planned rules.Serving
	private rules.Private
	// status is the one that ended the wait successfully; nil if there was no
	// wait.
	status *kuscia.ServingStatusDetail
}

// await waits for a rollout whose state is saved, and saves the progress
// of one that did not complete. For a paused rollout the state has
// rollout_complete false.
func (r *servingResource) await(ctx context.Context, target wait.Target, done applyResult, failed notRunning, to privatestate.Setter, diags *diag.Diagnostics) applyResult {
	result, err := r.Clients.ServingPoller.WaitRunning(ctx, target)
	done.private, done.status = rules.AfterWait(done.private, result, err), result.Status
	warnStartNotObserved(diags, target.ServingID, result.StartNotObserved)
	done.planned = warnPaused(diags, done.planned, result.Paused)
	var stopped *wait.NotRunningError
	switch {
	case failed.mayRun && errors.As(err, &stopped) && stopped.Cause == wait.CauseOtherCluster:
		clients.AddWarning(diags, "Unknown whether serving runs", err)
		done.planned.RolloutComplete = types.BoolValue(false)
	case err != nil:
		rules.PrivateKey.Save(ctx, to, done.private, diags)
		addErrorWithNote(diags, clients.NotRunningSummary("Serving"+failed.did, err), err, failed.note)
	}
	return done
}

// updateState stores an update that sends nothing to Kuscia. It waits if the
// serving has not been observed to run yet.
func (r *servingResource) updateState(ctx context.Context, live *liveServing, planned, prior, desired rules.Serving, private rules.Private, resp *resource.UpdateResponse) {
	outcome := applyResult{planned: planned, private: private}
	if rules.ResumesRollout(planned, prior) {
		target := rules.ResumedTarget(planned, private)
		if target.Observer = observerFor(ctx, r.Clients, planned, live, &resp.Diagnostics); resp.Diagnostics.HasError() {
			return
		}
		state := rules.ResolveComputedWithoutRead(rules.BeforeWait(planned))
		resp.State.Raw = state.Value()
		rules.PrivateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
		if outcome = r.await(ctx, target, outcome, stillNotRunning, resp.Private, &resp.Diagnostics); resp.Diagnostics.HasError() {
			return
		}
	}
	planned, private = outcome.planned, outcome.private
	if planned.Endpoints.IsUnknown() || planned.CreateTime.IsUnknown() {
		r.readBack(ctx, outcome, desired, &resp.State, resp.Private, &resp.Diagnostics)
		return
	}
	planned = rules.ResolveComputedWithoutRead(planned)
	resp.State.Raw = planned.Value()
	rules.PrivateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
}

// redeployRequest adds to a request what restarts the pods of every party: the
// configuration text with different white space from the text that Kuscia has. cause is the
// attribute that restarts them.
func (r *servingResource) redeployRequest(ctx context.Context, live *liveServing, desired rules.Serving, cause path.Path, request *kuscia.UpdateServingRequest, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	if !rules.Redeployable(desired.ServingInputConfig) {
		// It was unknown when the configuration was validated, or it is
		// write-only and was changed by another client.
		rules.AddNotRedeployable(cause, diags)
		return nil
	}
	id := desired.ServingID.ValueString()
	response, err := live.get(ctx)
	if request != nil && unreadableWithoutImage(err) && imagesExist(ctx, r.Clients, desired) {
		// An app image with a new name is replaced before the servings change
		// over to it, and Kuscia cannot show a serving whose app image is
		// deleted.
		request.ServingInputConfig = rules.MarkWhitespace(desired.ServingInputConfig.ValueString(), desired.RedeployTriggers)
		return request
	}
	if err != nil {
		clients.AddAttributeError(diags, cause, "Unable to read serving before updating it", fmt.Errorf("before restarting its pods: %w", withDeletedHint(id, err)))
		return nil
	}
	if request == nil {
		request = &kuscia.UpdateServingRequest{ServingID: id}
	}
	request.ServingInputConfig = rules.ChangeWhitespace(desired.ServingInputConfig.ValueString(), response.ServingInputConfig)
	return request
}

// unreadableWithoutImage reports whether a serving exists but cannot be shown
// because one of its app images is deleted or no longer has a template for a
// role.
func unreadableWithoutImage(err error) bool {
	return errors.Is(err, kuscia.ErrAppImageMissing) || errors.Is(err, kuscia.ErrTemplateMissing)
}

// imagesExist reports whether all app images of a serving exist and have a template for
// their party.
func imagesExist(ctx context.Context, c *clients.Clients, s rules.Serving) bool {
	images := party.ImageLookup(c.AppImages.Lookup(ctx))
	return !slices.ContainsFunc(s.Parties.Items, func(p rules.Party) bool {
		return images.Template(p.AppImage.ValueString(), p.Role.ValueString()) == nil
	})
}

// readBack queries the serving and stores it. Planned values keep their
// spelling; it is an error if one did not take effect. desired is the plan with
// the text that was sent.
func (r *servingResource) readBack(ctx context.Context, outcome applyResult, desired rules.Serving, state *tfsdk.State, to privatestate.Setter, diags *diag.Diagnostics) {
	planned, private, id := outcome.planned, outcome.private, outcome.planned.ServingID.ValueString()
	versions := appliedVersions(ctx, r.Clients, id, outcome.status)
	response, err := r.Clients.Kuscia.QueryServing(ctx, id)
	if err != nil {
		diags.AddWarning("Unable to read serving after the change",
			err.Error()+"\n\nThe change itself succeeded. Values that only Kuscia knows, such as endpoints, are set by the next refresh.")
		state.Raw = rules.ResolveComputedWithoutRead(planned).Value()
		rules.PrivateKey.Save(ctx, to, private, diags)
		return
	}
	refreshed, next, mismatches := rules.AfterApply(planned, desired, response, private, sourcesOf(ctx, r.Clients, id))
	if len(mismatches) > 0 {
		diags.AddError("Serving is not as planned", fmt.Sprintf(
			"Kuscia reports other values of serving %q than those that were sent, in %s. Another client may have changed the serving, or Kuscia ignored a part of the request. The state has what Kuscia reports; plan again to see the difference.", id, strings.Join(mismatches, ", ")))
	}
	state.Raw = refreshed.Value()
	rules.PrivateKey.Save(ctx, to, versions.recordIfStable(ctx, r.Clients, refreshed, next, response), diags)
}

// queryStatusSnapshot queries the status before an update. A failure does not prevent the
// update: the wait then requires that the rollout start of every party is
// observed.
func (r *servingResource) queryStatusSnapshot(ctx context.Context, id string) *wait.Snapshot {
	statuses, err := r.Clients.Kuscia.BatchQueryServingStatus(ctx, []string{id})
	if err != nil {
		tflog.Warn(ctx, fmt.Sprintf("serving %s: the status before the update could not be queried", id), map[string]any{"serving_id": id, "error": err.Error()})
		return nil
	}
	for _, status := range statuses {
		if status.ServingID == id {
			return &wait.Snapshot{Status: status.Status}
		}
	}
	return nil
}

// warnStartNotObserved warns of parties whose rollout was assumed to be complete after a
// timeout.
func warnStartNotObserved(diags *diag.Diagnostics, id string, parties []string) {
	if len(parties) == 0 {
		return
	}
	diags.AddWarning("Rollout of serving was not observed to start", fmt.Sprintf(
		"The update of serving %q replaces the pods of party %s. After %s Kuscia reports the desired number of pods, all updated and available, but no replacement was observed. "+
			"Either the rollout was too short to be observed, or the update does not affect the pods, or Kuscia could not apply it to the Deployment and keeps the old pods. "+
			"Look at the pods: kubectl get pods --namespace DOMAIN_ID shows their age, and kubectl get deployment --namespace DOMAIN_ID --output wide their image.",
		id, strings.Join(parties, ", "), wait.StartTimeout))
}
