package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// awaitRolloutControl waits until the Rollouts of the Deployments that an update gives a new
// version control them.
func awaitRolloutControl(ctx context.Context, c *run.Run, change crud.Change[object], diags *diag.Diagnostics) {
	keys := mapKeys(change.Value)
	var changed []rolloutstatus.ChangedDeployment
	for _, name := range replacedKeys(change.Value, change.Prior) {
		changed = append(changed, rolloutstatus.ChangedDeployment{
			Namespace: keys[name].DomainID, Name: party.DeploymentName(change.ID[0], keys[name].Role), At: partiesPath.AtMapKey(name),
		})
	}
	rolloutstatus.AwaitControl(ctx, c, diags, changed)
}
