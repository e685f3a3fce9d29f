package deployment

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// title is the name of the object in messages.
const title = "KusciaDeployment"

// kusciaDeployment is kuscia_deployment.
var kusciaDeployment = crud.New(crud.Spec[object]{
	Type: "deployment", Title: title,
	Deletion: crud.Deletion{Meanwhile: "No party runs between the deletion of the old deployment and the create of the new one, for which Kuscia allocates ports again."},
	Schema:   definition.Schema{Description: description, Attributes: attributes, DataSource: statusAttributes},
	Identity: crud.Identity{
		Attributes:   []crud.IdentityAttribute{{Name: attrName, Description: "Name of the KusciaDeployment.", Problem: nameProblem}},
		ImportPrefix: kube.CrossDomain + "/",
	},
	ToWire: toWire,
	Responses: crud.Responses[object]{
		Convert:  response,
		Deleting: func(o *object) bool { return o.found != nil && o.found.Metadata.Deleting() },
		Gone:     warnOfChildren,
	},
	Server: crud.Cluster, API: calls,
	Checks: crud.Checks[object]{Object: checkObject, References: references, Guard: guard},
	Writes: crud.Writes[object]{
		CompareFirst: true, StaleDelay: staleReadTimeout,
		Done: func(c *run.Run, _ crud.ID, _ *object) { c.ForgetKubernetes(kube.KusciaDeployments) },
	},
	// Its containers have all resources.
	CustomResource: party.CustomResource[object]([]string{party.FieldAffinity}, nil),
	Steps:          func(declared crud.Steps[object]) crud.Steps[object] { return steps{declared} },
	Rollout: &crud.Rollout[object]{
		WaitText:     "Whether create and update wait until the Deployment of every party runs as configured. Default `true`. To make Kuscia repeat what has failed or was silently dropped, a wait sets the annotation `terraform-provider-kuscia/retried-at` of the KusciaDeployment, which has no other effect.",
		CompleteText: "Whether the provider saw the pods run as configured after the last create or update. While it is `false`, also while an OpenKruise Rollout pauses it, the plan shows a change, and an apply waits again. Null if `wait_for_rollout` is `false`. See the guide [Waiting for a rollout](../guides/waiting-for-a-rollout.md#rollout_complete).",
		Timeouts:     definition.Timeouts{Create: 20 * time.Minute, Update: 20 * time.Minute, Delete: 10 * time.Minute},
		Pace:         pace,
		Before:       before, Watch: watch, Runs: runs, Observe: observe, CheckMemory: crud.Decodes[deployedParties],
	},
})

// steps are those of a KusciaDeployment, whose plans depend on app images.
type steps struct{ crud.Steps[object] }

// Plan adds the pod revisions to a plan.
func (s steps) Plan(ctx context.Context, c *run.Run, from crud.Planned) crud.Planned {
	from = s.Steps.Plan(ctx, c, from)
	from.CrossCheck, from.MayEndOtherwise = checkPlan, mayBePaused
	if !from.Unchanged {
		from.Plan.Planned = known(ctx, c, from)
	}
	return from
}

// mayBePaused reports that a rollout may be paused by an OpenKruise Rollout: one that replaces pods,
// or that is not complete yet.
func mayBePaused(_ *run.Run, p crud.Planned) bool {
	return len(p.Replaces) > 0 || !definition.IsRolloutComplete(p.Prior) || len(replacedKeys(p.Planned, p.Prior)) > 0
}

// nameProblem returns why there can be no KusciaDeployment of a name. Kuscia runs only some
// of those that there can be, see checker.name.
func nameProblem(name string) string {
	if objectName(name) {
		return ""
	}
	return fmt.Sprintf("%s is not a name of a KusciaDeployment. Use at most %d lower-case letters, digits and hyphens, with a letter or digit at both ends.", tfvalue.Quote(name), longestName)
}
