package serving

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// noteReleases tells the Rollouts of the same plan which Deployments get a new
// version: one that is created after that releases nothing step by step.
func noteReleases(c *clients.Clients, planned, prior model, diags *diag.Diagnostics) {
	parties, known := decodeParties(planned.Parties)
	if c == nil || !known || planned.ServingID.IsUnknown() {
		return
	}
	before, _ := decodeParties(prior.Parties)
	sameConfig := planned.ServingInputConfig.Equal(prior.ServingInputConfig) && planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	for i, p := range parties {
		old, ok := findParty(before, p.key())
		if !ok || sameConfig && old.appImage.Equal(p.appImage) && sameResources(old.resources, p.resources, nil) {
			continue
		}
		name := planned.ServingID.ValueString()
		if role := p.role.ValueString(); role != "" {
			name += "-" + role
		}
		c.Releases.NoteChange(diags, path.Root("parties").AtListIndex(i), p.domainID.ValueString(), name, fmt.Sprintf("Serving %q", planned.ServingID.ValueString()))
	}
}
