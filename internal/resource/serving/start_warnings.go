package serving

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// warnShortLimits warns of limits of a planned update that are shorter than the time after
// which replica counts are accepted without an observed start of the rollout: the update
// can then fail although all pods run. With a cluster nothing has to be observed.
func (r *servingResource) warnShortLimits(ctx context.Context, planned, prior model.Serving, private model.Private, diags *diag.Diagnostics) {
	if !planned.WaitForRollout.ValueBool() || r.Clients == nil || r.mayHaveKubernetes() || !r.replacesPods(ctx, planned, prior, private) {
		return
	}
	warn := func(at path.Path, limit time.Duration) {
		if limit < wait.StartTimeout {
			diags.AddAttributeWarning(at, "Time limit shorter than an update may need", fmt.Sprintf(
				"The update of serving %q replaces pods, and %s is %s. Without kubernetes in the provider block, the provider has to observe the start of the rollout. If it does not, because the start was too short or Kuscia lags, "+
					"the replica counts are accepted after %s: with a shorter limit the apply fails although all pods run. Increase the limit to more than %s, or set kubernetes.",
				planned.ServingID.ValueString(), at, limit, wait.StartTimeout, wait.StartTimeout))
		}
	}
	if limit, unknown := planned.Timeouts.Update(ctx, defaultRolloutTimeout); !unknown.HasError() {
		warn(path.Root(definition.AttrTimeouts).AtName("update"), limit)
	}
	if !planned.ProgressDeadline.IsUnknown() {
		warn(path.Root(model.AttrProgressDeadline), model.ProgressDeadline(planned))
	}
}

// replacesPods reports whether a planned update gives any party new pods.
func (r *servingResource) replacesPods(ctx context.Context, planned, prior model.Serving, private model.Private) (replaces bool) {
	if planned.Parties.IsUnknown() || planned.ServingID.IsUnknown() || !plan.ReachesPods(planned, prior, private) {
		return false
	}
	change := podChange{planned, prior, private, plan.Redeploys(planned, prior, private), plannedImageChanges(ctx, r.Clients.AppImages)}
	change.each(func(path.Path, string, string, string) { replaces = true })
	return replaces
}
