package rollout

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// warnDeployment warns of what the Rollout would not do with its Deployment as it is now. A
// Deployment that does not exist or cannot be read causes no warning.
func (g *guardRun) warnDeployment() {
	if g.change.Desired.Spec.Disabled {
		return
	}
	d, err := readDeployment(g.ctx, g.client, g.change.Desired)
	if err != nil || d == nil {
		return
	}
	g.warnLetThrough(d)
}

// warnLetThrough warns of a Deployment for whose changes the webhook does not ask a Rollout.
func (g *guardRun) warnLetThrough(d *kube.Deployment) {
	if !party.Workload(d).IsLetThrough() {
		return
	}
	namespace, name := httpapi.Text(d.Metadata.Namespace), httpapi.Text(d.Metadata.Name)
	g.diags.AddAttributeWarning(refPath, "Changes of the Deployment are not released step by step", fmt.Sprintf(
		"Deployment %s/%s has the annotation %s. OpenKruise Rollouts then releases only a change of this annotation step by step; all pods get any other change at once, and this provider refuses to send it.\n\n"+
			"If no other client uses it, remove it with \"kubectl annotate deployment/%s -n %s %s-\".",
		namespace, name, kruise.RolloutIDAnnotation, name, namespace, kruise.RolloutIDAnnotation))
}
