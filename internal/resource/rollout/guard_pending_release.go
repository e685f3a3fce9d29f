package rollout

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
)

// checkPendingRelease rejects changes with which a Rollout gives up a Deployment that the
// webhook has paused for a release that the controller has not begun: no one would
// continue it. With promote_on_destroy, the apply that disables it waits for that. A Rollout
// that another client has disabled does not begin the release, until it is enabled.
func (g *guardRun) checkPendingRelease(found *object) error {
	desired, now := g.change.Desired.Spec, found.Spec
	var at path.Path
	switch {
	case g.known(path.Root(attrDisabled)) && desired.Disabled && !now.Disabled && !g.change.Before.promote:
		at = path.Root(attrDisabled)
	case g.known(refPath) && desired.WorkloadRef != now.WorkloadRef:
		at = refPath
	default:
		return nil
	}
	during, err := describeRelease(g.ctx, g.client, found)
	if err != nil || during == "" {
		return err
	}
	summary, next := "Release is about to begin", "Plan again in a few seconds, when state of the data source kuscia_rollout shows the release. If it does not, check that kruise-rollout-controller-manager runs."
	if found.Release().State == kruise.Disabled {
		summary, next = "Rollout still holds its workload", fmt.Sprintf(
			"First apply this Rollout with disabled = false and its current workload_ref (%s), so that the change is released, and change workload_ref after the end of the release.", httpapi.Text(now.WorkloadRef.Name))
	}
	g.addError(at, summary, fmt.Sprintf(
		"Rollout %q is %s. If it gave up the Deployment now, the Deployment would stay paused. %s", g.change.ID, during, next))
	return nil
}
