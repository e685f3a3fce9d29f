package rollout

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// rolloutReferences are the workload of a Rollout, its traffic routing, and the objects of its
// own routes. The webhook accepts a Rollout without them, and all may be created after it.
func rolloutReferences(o *object) []crud.Reference {
	namespace, workload, at := o.Metadata.Namespace, o.Spec.WorkloadRef, refPath.AtName(attrName)
	all := []crud.Reference{{
		Kind: inCluster(workload), ID: namespace + "/" + workload.Name, At: at, Accepted: true,
		Without: "The Rollout does nothing until it exists, and the first pods of a new workload are not released step by step.",
		Advice: fmt.Sprintf("If nobody is about to create it, correct %s or %s: the Deployment of a party is named NAME or NAME-ROLE, in the namespace of its domain.",
			attrNamespace, at),
	}}
	style := o.Spec.Strategy.Style()
	if style == nil {
		return all
	}
	at = canaryPath
	if o.Spec.Strategy.BlueGreen != nil {
		at = blueGreenPath
	}
	if name := style.TrafficRoutingRef; name != "" {
		all = append(all, crud.Reference{
			Kind: run.InCluster(kube.TrafficRoutings, "kuscia_traffic_routing", attrName, "traffic routing"),
			ID:   namespace + "/" + name, At: at.AtName(attrRoutingRef), Accepted: true,
			Without: "Until it exists, a release waits before its first step, without a time limit.",
			Advice:  "Create it before the first release, for example with kuscia_traffic_routing, and refer to its name.",
		})
	}
	return append(all, routeReferences(namespace, at.AtName(attrTrafficRoutings), style.TrafficRoutings)...)
}

// routeReferences are the objects of routes.
func routeReferences(namespace string, at path.Path, routes []kruise.TrafficRoutingRef) (all []crud.Reference) {
	for i, route := range routes {
		for _, ref := range route.Objects() {
			all = append(all, crud.Reference{
				Kind: inCluster(ref), ID: namespace + "/" + ref.Name, At: at.AtListIndex(i), Accepted: true,
				Without: "A release does not begin before it exists, and pauses the workload without a time limit.",
				Advice:  "Create it before the first release.",
			})
		}
	}
	return all
}

// checkPlannedApproval checks in a plan that the approved Rollout exists, and says what the approval
// does. A Rollout is not looked up if a part of its id is empty.
func checkPlannedApproval(ctx context.Context, c *run.Run, a *approval) (diags diag.Diagnostics) {
	if c.ReachedKubernetes(ctx, &diags) {
		checkApproved(ctx, c, crud.InPlan, a.id(), &diags)
		a.warnReleases(ctx, c, &diags)
	}
	return diags
}

// warnReleases says what the approval of a release that waits for it does, which no attribute of the
// approval shows.
func (a *approval) warnReleases(ctx context.Context, c *run.Run, diags *diag.Diagnostics) {
	client, err := c.OpenKubernetes()
	if err != nil || a.namespace == "" || a.name == "" {
		return
	}
	found, _, err := query(ctx, client, a.namespace, a.name)
	if err != nil {
		return // checkApproved and the request for the approval report it
	}
	release := found.Release()
	if release.State != kruise.AwaitingApproval || a.request.Step != 0 && a.request.Step != release.Step {
		return
	}
	next := "ends, with all pods of the new version"
	strategy := found.Spec.Strategy
	if step, of := int(cmp.Or(a.request.ToStep, release.Step+1)), len(strategy.Steps()); step <= of {
		next = fmt.Sprintf("goes on with step %d of %d, which %s", step, of, httpapi.Text(strategy.DescribeStep(step-1)))
	}
	diags.AddAttributeWarning(path.Root(attrStep), "Release goes on", fmt.Sprintf(
		"The release of Rollout %q has finished step %d, and %s. An approval cannot be withdrawn: to roll back, apply the previous image.\n\nIt releases version %s.",
		a.id(), release.Step, next, tfvalue.Quote(release.Revision)))
}

// checkApproved checks that the approved Rollout exists.
func checkApproved(ctx context.Context, c *run.Run, moment crud.Moment, id string, diags *diag.Diagnostics) {
	_, kind, err := opened(ctx, c)
	if err != nil {
		return // the request for the approval reports it
	}
	crud.CheckReferences(ctx, c, moment, []crud.Reference{{
		Kind: run.InCluster(kind, rolloutType, attrName, "Rollout"), ID: id, At: path.Root(attrName), Without: "There is no step to approve.",
	}}, diags)
}

func inCluster(ref kruise.ObjectRef) *run.ObjectKind {
	return run.InCluster(kube.KindOf(ref.APIVersion, ref.Kind), "", "", httpapi.Text(ref.Kind))
}
