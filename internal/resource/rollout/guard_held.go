package rollout

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// checkHeldWorkload rejects changes with which a Rollout gives up a Deployment that the
// webhook has paused for a release that the controller has not begun: no one would
// continue it. promote_on_destroy does not prevent that.
func (g *guardRun) checkHeldWorkload(found *object) {
	wanted, now := g.change.Desired.Spec, found.Spec
	var at path.Path
	switch {
	case g.known(path.Root(attrDisabled)) && wanted.Disabled && !now.Disabled:
		at = path.Root(attrDisabled)
	case g.known(refPath) && wanted.WorkloadRef != now.WorkloadRef:
		at = refPath
	default:
		return
	}
	if during := releaseOf(g.ctx, g.client, found); during != "" {
		g.addError(at, "A release is about to begin", fmt.Sprintf(
			"Rollout %q is %s. If it gave up the Deployment now, the Deployment would stay paused, also with promote_on_destroy. Plan again in a few seconds, when state of the data source kuscia_rollout shows the release.", g.change.ID, during))
	}
}
