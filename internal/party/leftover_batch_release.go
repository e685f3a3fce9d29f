package party

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// LeftoverBatchRelease describes what an OpenKruise Rollout that is releasing a
// Deployment leaves behind when that is deleted, and what to do about it; "" if
// no Rollout is releasing it. The text is not masked.
func LeftoverBatchRelease(d *kube.Deployment) string {
	by := Workload(d).ReleasedBy()
	if by == "" {
		return ""
	}
	return fmt.Sprintf("Rollout %q is releasing Deployment \"%s/%s\" step by step. OpenKruise Rollouts keeps the BatchRelease of that release: if a Deployment with this name is created again, its next release never ends. "+
		"Replace the Rollout as well: set promote_on_destroy = true for it and apply that, and then run terraform apply -replace=kuscia_rollout.NAME.\n\n"+
		"A Rollout is not deleted during a release without promote_on_destroy; after an import, change another attribute together with it. "+
		"With enable_extra_workload_for_canary, the canary Deployment and its pods also keep running, and the Services of the party include these pods, until the Rollout is deleted.",
		httpapi.Text(by), httpapi.Text(d.Metadata.Namespace), httpapi.Text(d.Metadata.Name))
}
