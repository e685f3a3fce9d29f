package serving

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// recordStrategies records, for the Rollouts of the same plan, that Kuscia sets the
// strategy of the Deployments of a new serving.
func recordStrategies(ctx context.Context, c *run.Run, planned rules.Serving, diags *diag.Diagnostics) {
	if c == nil || planned.Parties().IsUnknown() || planned.ServingID().IsUnknown() {
		return
	}
	for _, p := range planned.Parties().Items {
		if !p.KeyKnown() {
			continue
		}
		at, deployment, by := partyDeployment(planned, p)
		c.RecordStrategy(ctx, diags, at, p.DomainID().ValueString(), deployment, by)
	}
}

// partyDeployment returns the path of a party, its Deployment, and the name of the
// resource that changes it.
func partyDeployment(planned rules.Serving, p rules.Party) (at path.Path, deployment, by string) {
	id := planned.ServingID().ValueString()
	return p.Path(), party.DeploymentName(id, p.Role().ValueString()), fmt.Sprintf("Serving %q", id)
}

// recordPodChanges records, for the Rollouts of the same plan, which Deployments get
// a new version: a Rollout that is created after that does not release this
// version step by step.
func recordPodChanges(ctx context.Context, c *run.Run, planned, prior rules.Serving, diags *diag.Diagnostics) {
	if c == nil || planned.Parties().IsUnknown() || planned.ServingID().IsUnknown() {
		return
	}
	eachNewVersion(planned, prior, func(at path.Path, namespace, deployment, by string) {
		c.PlannedWorkloads.RecordPodChange(diags, at, namespace, deployment, by)
		c.RecordStrategy(ctx, diags, at, namespace, deployment, by)
	})
}

// awaitRolloutControl waits until the Rollouts of the Deployments that get a new version
// control them.
func awaitRolloutControl(ctx context.Context, c *run.Run, planned, prior rules.Serving, diags *diag.Diagnostics) {
	if !c.HasKubernetes() {
		return
	}
	var changed []rolloutstatus.ChangedDeployment
	eachNewVersion(planned, prior, func(at path.Path, namespace, deployment, _ string) {
		changed = append(changed, rolloutstatus.ChangedDeployment{Namespace: namespace, Name: deployment, At: at})
	})
	rolloutstatus.AwaitControl(ctx, c, diags, changed)
}

// eachNewVersion calls do for each Deployment that gets a new version.
func eachNewVersion(planned, prior rules.Serving, do func(at path.Path, namespace, deployment, by string)) {
	for _, p := range planned.Parties().Items {
		if rules.ReplacesPodsOf(p, prior) {
			at, deployment, by := partyDeployment(planned, p)
			do(at, p.DomainID().ValueString(), deployment, by)
		}
	}
}
