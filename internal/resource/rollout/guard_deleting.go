package rollout

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
)

// checkNotDeleting rejects writes to a Rollout that is being deleted: they would be
// lost with it. It returns the Rollout otherwise, nil if there is none.
func (g *guardRun) checkNotDeleting() (*object, error) {
	found, err := g.current()
	if err != nil || found == nil || found.Release().State != kruise.Terminating {
		return found, err
	}
	g.addError(path.Root(attrName), "The Rollout is being deleted", fmt.Sprintf(
		"Rollout %q was deleted and exists until its controller has removed its finalizers. Nothing was sent.\n\n"+
			"Apply again when it no longer exists; the plan then creates it. If it stays, check that kruise-rollout-controller-manager runs.", g.change.ID))
	return nil, nil
}
