package plan

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// planRollout returns the planned rollout_complete: an apply with a wait
// succeeds only if the rollout is complete. If an update sends nothing to Kuscia
// and has nothing to wait for, the value does not change.
func planRollout(planned, prior model.Serving, private model.Private) types.Bool {
	if KeepsRollout(planned, prior, private) {
		return prior.RolloutComplete
	}
	return model.CompleteIf(planned.WaitForRollout)
}

// KeepsRollout reports whether an update sends nothing to Kuscia and has nothing to wait
// for.
func KeepsRollout(planned, prior model.Serving, private model.Private) bool {
	return planned.WaitForRollout.Equal(prior.WaitForRollout) && !model.RolloutUnfinished(prior) && !ReachesPods(planned, prior, private)
}

// WithPossibleRelease is for a provider block with a cluster: a wait may end at a step of
// an OpenKruise Rollout, so that rollout_complete is unknown until then.
func WithPossibleRelease(planned model.Serving) model.Serving {
	if planned.RolloutComplete.ValueBool() {
		planned.RolloutComplete = types.BoolUnknown()
	}
	return planned
}

// ReachesPods reports whether a planned update sends anything to Kuscia, which
// then applies the current app images to all parties.
func ReachesPods(planned, prior model.Serving, private model.Private) bool {
	if !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion) || Redeploys(planned, prior, private) {
		return true
	}
	if planned.ServingInputConfig.IsUnknown() ||
		!tfvalue.ConfigTextEqual(planned.ServingInputConfig.ValueString(), prior.ServingInputConfig.ValueString()) {
		return true
	}
	if planned.Parties.IsUnknown() {
		return true
	}
	for _, p := range planned.Parties.Items {
		old, ok := model.FindParty(prior.Parties.Items, p.Key())
		if !ok || CompareParties(old, p, private).Any() {
			return true
		}
	}
	return false
}
