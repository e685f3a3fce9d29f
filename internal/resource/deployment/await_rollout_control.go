package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// awaitRolloutControl waits until the Rollouts of the Deployments that an update gives a new
// version control them. Kuscia applies an app image that this run has changed in place
// with every update, also of replicas alone.
func awaitRolloutControl(ctx context.Context, c *clients.Clients, planned, prior definition.Value, diags *diag.Diagnostics) {
	all, old := definition.FieldsOf(planned), definition.FieldsOf(prior)
	before := partiesByKey(prior)
	// A label with rollout_revision of an app image releases a change of that image.
	labels := !all[attrLabels].Equal(old[attrLabels])
	config := !all[attrInputConfig].Equal(old[attrInputConfig]) || !all[attrInputConfig+"_wo_version"].Equal(old[attrInputConfig+"_wo_version"])
	root, _ := definition.Read(planned, definition.Value{})
	readers := root.Objects(attrParties)
	var changed []clients.ChangedDeployment
	for i, p := range definition.ElementsOf(all[attrParties]) {
		fields := definition.FieldsOf(p)
		was := before[keyOf(fields)]
		if was == nil || !labels && !config && samePods(fields, was) && !wasReplaced(ctx, c, readers[i]) {
			continue
		}
		changed = append(changed, clients.ChangedDeployment{
			Namespace: textOf(fields, attrDomainID), Name: party.DeploymentName(definition.StringAt(planned, attrName), textOf(fields, attrRole)),
			At: partiesPath.AtListIndex(i),
		})
	}
	c.AwaitRolloutControl(ctx, diags, changed)
}

// samePods reports whether a party keeps its app image and the resources of its
// containers. A change of either is a new version of its Deployment.
func samePods(party, before map[string]definition.Value) bool {
	return party[attrAppImage].Equal(before[attrAppImage]) && party[attrContainers].Equal(before[attrContainers])
}
