package deployment

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// noteReleases tells the Rollouts of the same plan which Deployments get a new
// version: one that is created after that releases nothing step by step.
func noteReleases(c *clients.Clients, change change, prior definition.Value, diags *diag.Diagnostics) {
	name := definition.FieldsOf(change.planned)[attrName]
	if c == nil || prior.IsNull() || len(change.replaces) > 0 || !name.IsKnown() {
		return
	}
	before := partiesByKey(prior)
	config := touches(change.sent, attrInputConfig, attrInputConfig+"_wo_version")
	for i, p := range definition.ElementsOf(definition.FieldsOf(change.planned)[attrParties]) {
		fields := definition.FieldsOf(p)
		old := before[keyOf(fields)]
		if old == nil || !config && fields[attrAppImage].Equal(old[attrAppImage]) && fields[attrContainers].Equal(old[attrContainers]) {
			continue
		}
		c.Releases.NoteChange(diags, path.Root(attrParties).AtListIndex(i), textOf(fields, attrDomainID),
			party.DeploymentName(definition.TextOf(name), textOf(fields, attrRole)), fmt.Sprintf("KusciaDeployment %q", definition.TextOf(name)))
	}
}
