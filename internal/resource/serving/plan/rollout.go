package plan

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// planRollout is the planned rollout_complete: an apply that waits ends well
// only when the rollout is complete. Where an update asks nothing of Kuscia and
// leaves nothing to wait for, it stays what it is.
func planRollout(planned, prior model.Serving, private model.Private) types.Bool {
	if planned.WaitForRollout.Equal(prior.WaitForRollout) && !model.RolloutUnfinished(prior) && !ReachesPods(planned, prior, private) {
		return prior.RolloutComplete
	}
	return model.CompleteIf(planned.WaitForRollout)
}

// ReachesPods reports whether a planned update sends anything to Kuscia, which
// then brings all parties in step with their app images.
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
