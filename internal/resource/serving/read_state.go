package serving

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// sources are where a refresh finds what the answer does not have.
type sources struct {
	// remembered are app images as they were asked for in this run, asked as
	// Kuscia has them now. Both return nil where nobody can be asked.
	remembered, asked imageLookup
	now               time.Time
}

// sourcesOf are the sources of a request.
func sourcesOf(ctx context.Context, c *clients.Clients) sources {
	return sources{
		remembered: c.AppImages.Known(ctx),
		asked: func(name string) *kuscia.AppImage {
			image, err := c.API.QueryAppImage(ctx, name)
			if err != nil {
				return nil
			}
			return image
		},
		now: time.Now(),
	}
}

// templates looks deploy templates up among app images.
func templates(images imageLookup) templateLookup {
	return func(p kuscia.ServingParty) *kuscia.DeployTemplate {
		image := images(p.AppImage)
		if image == nil {
			return nil
		}
		return templateFor(image, p.Role)
	}
}

// templateReplicas answers how many pods a party runs whose replicas were never
// set: those of the app image's template.
func templateReplicas(images imageLookup) func(kuscia.ServingParty) int32 {
	return func(p kuscia.ServingParty) int32 {
		if template := templates(images)(p); template != nil {
			return template.Replicas
		}
		return 1
	}
}

// readState is a refresh: the state and the private data after Kuscia answered.
func readState(prior model, answer *kuscia.Serving, private privateData, from sources) (model, privateData) {
	state, private := refresh(prior, answer, private, templateReplicas(from.remembered))
	if private.Imported {
		state = importedState(state)
	}
	state, private = spotResources(state, answer, private, templates(from.remembered), templates(from.asked))
	state.RolloutComplete, private = followRollout(prior, state, answer, private, from.now)
	if updated, _ := changedMeanwhile(prior, state, private); updated || private.redeployedMeanwhile(answer) {
		private = private.rolledOutTo(state, from.remembered)
	} else {
		private = private.watchImages(state, from.remembered)
	}
	return state, private.learn(answer, state)
}

// settle is the end of a create and of an update: the plan with what Kuscia has
// added to it. mismatches are the attributes in which Kuscia has something else
// than was sent; the state then has what it reports. desired is the plan with
// the text that was sent.
func settle(planned, desired model, answer *kuscia.Serving, private privateData, from sources) (state model, next privateData, mismatches []string) {
	observed, next := refresh(planned, answer, private, templateReplicas(from.remembered))
	if len(next.Seen) == 0 {
		// The first time only notes. What has changed since is left to the next
		// read: app images may be remembered from before the rollout.
		observed, next = spotResources(observed, answer, next, templates(from.remembered), templates(from.asked))
	}
	if mismatches = differences(desired, answer, private); len(mismatches) > 0 {
		if planned.hidesConfig() && slices.Contains(mismatches, attrConfig) {
			observed = stale(observed)
		}
		observed.RolloutComplete, next = followRollout(planned, observed, answer, next, from.now)
		return observed, next.learn(answer, observed), mismatches
	}
	state = planned
	if planned.Endpoints.IsUnknown() {
		state.Endpoints = observed.Endpoints
	}
	if planned.CreateTime.IsUnknown() {
		state.CreateTime = observed.CreateTime
	}
	if planned.RolloutComplete.IsUnknown() {
		state.RolloutComplete = completeIf(planned.WaitForRollout)
	}
	return state, next.learn(answer, state), nil
}

// settleUnread is settle where Kuscia could not be asked.
func settleUnread(planned model) model {
	planned.Endpoints, planned.CreateTime = refreshComputed(planned, nil)
	if planned.RolloutComplete.IsUnknown() {
		planned.RolloutComplete = completeIf(planned.WaitForRollout)
	}
	return planned
}

// planUpdateCall is what turns prior into planned: the request, nil for none,
// and whether every party has to be rolled besides.
func planUpdateCall(planned, prior model, private privateData, diags *diag.Diagnostics) (request *kuscia.UpdateServingRequest, redeploy bool) {
	return updateRequest(planned, prior, private, diags), redeploys(planned, prior, private)
}
