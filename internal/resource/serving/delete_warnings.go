package serving

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
)

// releasesTimeout limits how long a cluster that does not respond delays a
// delete, which does not need it.
const releasesTimeout = 5 * time.Second

// warnOfReleases warns of Rollouts that are releasing a Deployment of a serving
// that is being deleted: what they leave behind makes the next release hang.
// There is no warning without a cluster or if it does not respond.
func warnOfReleases(ctx context.Context, c *clients.Clients, serving model.Serving, summary string, diags *diag.Diagnostics) {
	if !c.HasKubernetes() {
		return
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, releasesTimeout)
	defer cancel()
	id := serving.ServingID.ValueString()
	for _, p := range serving.Parties.Items {
		object, err := client.Get(ctx, kube.Deployments, p.DomainID.ValueString(), party.DeploymentName(id, p.Role.ValueString()))
		deployment := &kube.Deployment{}
		if err != nil || kube.Decode(object, deployment) != nil {
			continue
		}
		if left := party.LeftoverBatchRelease(deployment); left != "" {
			diags.AddWarning(summary, fmt.Sprintf("Serving %q: %s", id, client.Masker(ctx).Text(left)))
		}
	}
}
