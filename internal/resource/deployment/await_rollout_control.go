package deployment

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// awaitRolloutControl waits until the Rollouts of the Deployments that an update gives a new
// version control them. Kuscia applies an app image that this run has changed in place
// with every update, also of replicas alone.
func awaitRolloutControl(ctx context.Context, c *clients.Clients, change crud.Change[object], diags *diag.Diagnostics) {
	all, old := definition.FieldsOf(change.Value), definition.FieldsOf(change.Prior)
	before := partiesByKey(change.Prior)
	// A label with rollout_revision of an app image releases a change of that image.
	labels := !all[attrLabels].Equal(old[attrLabels])
	config := !all[attrInputConfig].Equal(old[attrInputConfig]) || !all[attrInputConfig+"_wo_version"].Equal(old[attrInputConfig+"_wo_version"])
	var changed []clients.ChangedDeployment
	for key, p := range change.Desired.planned.ObjectMap(attrParties) {
		was := before[keyOf(definition.FieldsOf(definition.FieldsOf(all[attrParties])[key]))]
		if was == nil || !labels && !config && !changesParty(change.Sent, key) && !wasReplaced(ctx, c, p) {
			continue
		}
		changed = append(changed, clients.ChangedDeployment{
			Namespace: p.String(attrDomainID), Name: party.DeploymentName(change.ID[0], p.String(attrRole)), At: partiesPath.AtMapKey(key),
		})
	}
	c.AwaitRolloutControl(ctx, diags, changed)
}

// changesParty reports whether an update changes the app image of a party or the resources
// of its containers. A change of either is a new version of its Deployment.
func changesParty(sent []path.Path, key string) bool {
	at := partiesPath.AtMapKey(key)
	return slices.ContainsFunc(sent, func(changed path.Path) bool {
		return check.Within(changed, at.AtName(attrAppImage)) || check.Within(changed, at.AtName(attrContainers))
	})
}
