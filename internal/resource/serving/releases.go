package serving

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
)

// noteReleases tells the Rollouts of the same plan which Deployments get a new
// version: one that is created after that releases nothing step by step.
func noteReleases(c *clients.Clients, planned, prior model.Serving, diags *diag.Diagnostics) {
	if c == nil || planned.Parties.IsUnknown() || planned.ServingID.IsUnknown() {
		return
	}
	sameConfig := planned.ServingInputConfig.Equal(prior.ServingInputConfig) && planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	for i, p := range planned.Parties.Items {
		old, ok := model.FindParty(prior.Parties.Items, p.Key())
		if !ok || sameConfig && old.AppImage.Equal(p.AppImage) && model.SameResources(old.Resources, p.Resources, nil) {
			continue
		}
		name := party.DeploymentName(planned.ServingID.ValueString(), p.Role.ValueString())
		c.Releases.NoteChange(diags, path.Root("parties").AtListIndex(i), p.DomainID.ValueString(), name, fmt.Sprintf("Serving %q", planned.ServingID.ValueString()))
	}
}
