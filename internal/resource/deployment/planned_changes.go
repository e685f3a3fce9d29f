package deployment

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// recordPodChanges records the Deployments of the plan that get a new version, and
// those whose strategy Kuscia sets. A Rollout that the same plan creates after
// the new version does not release it step by step. A blue-green Rollout does
// not work for a Deployment whose strategy Kuscia sets.
func recordPodChanges(ctx context.Context, c *run.Run, planned crud.Planned, diags *diag.Diagnostics) {
	name := definition.FieldsOf(planned.Planned)[attrName]
	if c == nil || !name.IsKnown() {
		return
	}
	by := fmt.Sprintf("KusciaDeployment %q", definition.StringOf(name))
	isNew := planned.Prior.IsNull() || len(planned.Replaces) > 0
	before := partiesByKey(planned.Prior)
	replaced := replacedKeys(planned.Planned, planned.Prior)
	root, _ := definition.Read(planned.Planned, definition.Value{})
	parties := partiesOf(planned.Planned)
	for key := range root.ObjectMap(attrParties) {
		fields := definition.FieldsOf(parties[key])
		if !fields[attrDomainID].IsKnown() || !fields[attrRole].IsKnown() {
			continue
		}
		old := before[keyOf(fields)]
		at, domain, deployment := partiesPath.AtMapKey(key), textOf(fields, attrDomainID), party.DeploymentName(definition.StringOf(name), textOf(fields, attrRole))
		isNew := isNew || old == nil
		released := !isNew && slices.Contains(replaced, key)
		if released {
			c.PlannedWorkloads.RecordPodChange(diags, at, domain, deployment, by)
		}
		if strategy := fields[attrStrategy]; strategy.IsKnown() && !strategy.IsNull() && (isNew || released || !strategy.Equal(old[attrStrategy])) {
			c.RecordStrategy(ctx, diags, at, domain, deployment, by)
		}
	}
}
