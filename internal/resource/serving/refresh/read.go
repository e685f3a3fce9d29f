package refresh

import (
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
)

// Sources are where a refresh finds what the answer does not have.
type Sources struct {
	// Cached are app images as they were asked for in this run, Current as
	// Kuscia has them now. Both return nil where nobody can be asked.
	Cached, Current party.ImageLookup
	// Evidence is what the cluster shows of the serving; nil without one.
	Evidence *rollout.CachedDeployments
	Now      time.Time
}

// Templates looks deploy templates up among app images.
func Templates(images party.ImageLookup) TemplateLookup {
	return func(p kuscia.ServingParty) *kuscia.DeployTemplate {
		image := images(p.AppImage)
		if image == nil {
			return nil
		}
		return party.TemplateFor(image, p.Role)
	}
}

// TemplateReplicas answers how many pods a party runs whose replicas were never
// set: those of the app image's template.
func TemplateReplicas(images party.ImageLookup) func(kuscia.ServingParty) int32 {
	return func(p kuscia.ServingParty) int32 {
		if template := Templates(images)(p); template != nil {
			return template.Replicas
		}
		return 1
	}
}

// Read is a refresh: the state and the private data after Kuscia answered.
func Read(prior model.Serving, answer *kuscia.Serving, private model.Private, from Sources) (model.Serving, model.Private) {
	state, private := FromAnswer(prior, answer, private, TemplateReplicas(from.Cached))
	if private.Imported {
		state = model.ImportedState(state)
	}
	state, private = detectUnmanagedResources(state, answer, private, Templates(from.Cached), Templates(from.Current))
	state.RolloutComplete, private = rollout.RefreshRolloutComplete(prior, state, answer, private, from.Now, from.Evidence)
	if updated, _ := rollout.ChangedElsewhere(prior, state, private); updated || rollout.RedeployedElsewhere(private, answer) {
		private = rollout.RecordUpdate(private, state, from.Cached)
	} else {
		private = rollout.RecordRefresh(private, state, from.Cached)
	}
	return state, noteAnswer(private, answer, state)
}

// AfterApply is the end of a create and of an update: the plan with what Kuscia has
// added to it. mismatches are the attributes in which Kuscia has something else
// than was sent; the state then has what it reports. desired is the plan with
// the text that was sent.
func AfterApply(planned, desired model.Serving, answer *kuscia.Serving, private model.Private, from Sources) (state model.Serving, next model.Private, mismatches []string) {
	observed, next := FromAnswer(planned, answer, private, TemplateReplicas(from.Cached))
	if len(next.Baselines) == 0 {
		// The first time only notes. What has changed since is left to the next
		// read: app images may be remembered from before the rollout.
		observed, next = detectUnmanagedResources(observed, answer, next, Templates(from.Cached), Templates(from.Current))
	}
	if mismatches = Differences(desired, answer, private); len(mismatches) > 0 {
		if planned.ConfigIsWriteOnly() && slices.Contains(mismatches, model.AttrConfig) {
			observed = model.MarkConfigUnsure(observed)
		}
		observed.RolloutComplete, next = rollout.RefreshRolloutComplete(planned, observed, answer, next, from.Now, from.Evidence)
		return observed, noteAnswer(next, answer, observed), mismatches
	}
	state = planned
	if planned.Endpoints.IsUnknown() {
		state.Endpoints = observed.Endpoints
	}
	if planned.CreateTime.IsUnknown() {
		state.CreateTime = observed.CreateTime
	}
	if planned.RolloutComplete.IsUnknown() {
		state.RolloutComplete = model.CompleteIf(planned.WaitForRollout)
	}
	return state, noteAnswer(next, answer, state), nil
}

// ResolveComputedWithoutRead is settle where Kuscia could not be asked.
func ResolveComputedWithoutRead(planned model.Serving) model.Serving {
	planned.Endpoints, planned.CreateTime = refreshComputed(planned, nil)
	if planned.RolloutComplete.IsUnknown() {
		planned.RolloutComplete = model.CompleteIf(planned.WaitForRollout)
	}
	return planned
}
