package serving

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/application"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// configTexts completes the planned and the prior serving with the texts that
// are in neither plan nor state, as far as an update needs them. A write-only
// text with an unchanged version stays the text in Kuscia, whatever the
// configuration has now. ok is false after an error.
func configTexts(ctx context.Context, live *liveServing, planned, prior, config rules.Serving, private rules.Private, diags *diag.Diagnostics) (desired, before rules.Serving, ok bool) {
	sameVersion := planned.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion())
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
		before = before.WithServingAttribute(rules.AttrConfig, types.StringNull())
		return desired, before, true // the text is sent whatever Kuscia has
	}
	if err != nil {
		cause, doing := path.Root(rules.AttrConfigVersion), "changing its configuration text"
		if sameVersion {
			cause, doing = rules.RedeployCause(planned, prior), "restarting its pods"
			err = withNewVersionHint(err)
		}
		message.AddAttributeError(diags, cause, "Unable to read serving before updating it", fmt.Errorf("before %s: %w", doing, withDeletedHint(live.id, err)))
		return desired, before, false
	}
	before = before.WithServingAttribute(rules.AttrConfig, types.StringValue(current.ServingInputConfig))
	if sameVersion {
		desired = desired.WithServingAttribute(rules.AttrConfig, before.ServingInputConfig())
	}
	return desired, before, true
}

// pendingUpdate is an update that is sent to Kuscia. desired is planned with
// the text that is in neither plan nor state.
type pendingUpdate struct {
	planned, prior, config, desired rules.Serving

	private rules.Private
	update  rules.Update
	// request is what is sent.
	request *kuscia.UpdateServingRequest
	// observer is what the wait observes in addition to the status; nil for
	// nothing.
	observer servingstatus.DeploymentObserver
	// slot is that of an update whose start has to be observed; nil for others.
	slot *servingstatus.StartSlot
}

// check checks an update against the serving and its app images in
// Kuscia, and completes the request and the data for the wait.
func (u *pendingUpdate) check(ctx context.Context, c *run.Run, live *liveServing, diags *diag.Diagnostics) {
	checkParties(ctx, c, plannedChange{u.planned, &u.prior, u.private, crud.InApply}, diags)
	diags.Append(application.CheckApply(u.desired, c.AppImages.Lookup(ctx), runsHere(ctx, c), rules.ChangesApplication(u.planned, u.prior))...)
	if !diags.HasError() {
		began := time.Now()
		if u.planned.WaitForRollout().ValueBool() && !readsDeployments(ctx, c) {
			u.slot = pollerOf(c).AcquireStart(ctx)
		}
		awaitRolloutControl(ctx, c, u.planned, u.prior, diags)
		if time.Since(began) > time.Second {
			live.invalidate() // it may have changed during the wait
		}
	}
	if !diags.HasError() {
		checkUnchangedSincePlan(ctx, live, u.desired, u.update.Request, u.update.Redeploys, u.private.AfterUpdate(u.config), diags)
	}
	if !diags.HasError() {
		u.observer = observerFor(ctx, c, u.planned, live, diags)
	}
	u.request = u.update.Request
	switch cause := rules.RedeployCause(u.planned, u.prior); {
	case diags.HasError():
	case u.update.Follows:
		u.request = followRequest(ctx, live, u, cause, diags)
	case u.update.Redeploys:
		u.request = redeployRequest(ctx, c, live, u.desired, cause, u.request, diags)
	}
	if u.request != nil {
		rules.WriteRead(u.request, u.desired, u.private.AfterUpdate(u.config), c.AppImages.Lookup(ctx))
	}
}

// followRequest makes Kuscia apply what its app images have now: it changes the spelling of a
// percentage from that which Kuscia has. cause is the attribute that changes by that.
func followRequest(ctx context.Context, live *liveServing, u *pendingUpdate, cause path.Path, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	response, err := live.get(ctx)
	if err != nil {
		message.AddAttributeError(diags, cause, "Unable to read serving before updating it", fmt.Errorf("before rolling out its app images: %w", withDeletedHint(live.id, err)))
		return nil
	}
	return rules.FollowRequest(u.planned, u.prior, response)
}

// redeployRequest adds to a request what restarts the pods of every party: the
// configuration text with different white space from the text that Kuscia has. cause is the
// attribute that restarts them.
func redeployRequest(ctx context.Context, c *run.Run, live *liveServing, desired rules.Serving, cause path.Path, request *kuscia.UpdateServingRequest, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	if !rules.Redeployable(desired.ServingInputConfig()) {
		// It was unknown when the configuration was validated, or it is
		// write-only and was changed by another client.
		rules.AddNotRedeployable(cause, diags)
		return nil
	}
	id := desired.ServingID().ValueString()
	response, err := live.get(ctx)
	if request != nil && unreadableWithoutImage(err) && imagesExist(ctx, c, desired) {
		// An app image with a new name is replaced before the servings change
		// over to it, and Kuscia cannot show a serving whose app image is
		// deleted.
		request.ServingInputConfig = rules.MarkWhitespace(desired.ServingInputConfig().ValueString(), desired.RedeployTriggers())
		return request
	}
	if err != nil {
		message.AddAttributeError(diags, cause, "Unable to read serving before updating it", fmt.Errorf("before restarting its pods: %w", withDeletedHint(id, err)))
		return nil
	}
	if request == nil {
		request = &kuscia.UpdateServingRequest{ServingID: id}
	}
	request.ServingInputConfig = rules.ChangeWhitespace(desired.ServingInputConfig().ValueString(), response.ServingInputConfig)
	return request
}

// imagesExist reports whether all app images of a serving exist and have a template for
// their party.
func imagesExist(ctx context.Context, c *run.Run, s rules.Serving) bool {
	images := party.ImageLookup(c.AppImages.Lookup(ctx))
	return !slices.ContainsFunc(s.Parties().Items, func(p rules.Party) bool {
		return images.Template(p.AppImage().ValueString(), p.Role().ValueString()) == nil
	})
}
