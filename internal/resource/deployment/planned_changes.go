package deployment

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// recordPodChanges records the Deployments of the plan that get a new version, and
// those whose strategy Kuscia sets. A Rollout that the same plan creates after
// the new version does not release it step by step. A blue-green Rollout does
// not work for a Deployment whose strategy Kuscia sets.
func recordPodChanges(ctx context.Context, c *clients.Clients, change change, prior definition.Value, diags *diag.Diagnostics) {
	name := definition.FieldsOf(change.planned)[attrName]
	if c == nil || !name.IsKnown() {
		return
	}
	by := fmt.Sprintf("KusciaDeployment %q", definition.StringOf(name))
	isNew := prior.IsNull() || len(change.replaces) > 0
	before := partiesByKey(prior)
	config := touches(change.sent, attrInputConfig, attrInputConfig+"_wo_version")
	root, _ := definition.Read(change.planned, definition.Value{})
	readers := root.Objects(attrParties)
	for i, p := range definition.ElementsOf(definition.FieldsOf(change.planned)[attrParties]) {
		fields := definition.FieldsOf(p)
		if !fields[attrDomainID].IsKnown() || !fields[attrRole].IsKnown() {
			continue
		}
		old := before[keyOf(fields)]
		at, domain, deployment := path.Root(attrParties).AtListIndex(i), textOf(fields, attrDomainID), party.DeploymentName(definition.StringOf(name), textOf(fields, attrRole))
		isNew := isNew || old == nil
		released := !isNew && (config || !samePods(fields, old) ||
			len(change.sent) > 0 && changesPods(ctx, c, readers[i]))
		if released {
			c.PlannedWorkloads.RecordPodChange(diags, at, domain, deployment, by)
		}
		if strategy := fields[attrStrategy]; strategy.IsKnown() && !strategy.IsNull() && (isNew || released || !strategy.Equal(old[attrStrategy])) {
			c.RecordStrategy(ctx, diags, at, domain, deployment, by)
		}
	}
}
