package rollout

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// refuseInUse rejects the deletion of a traffic routing that a release uses.
func refuseInUse(found *unstructured.Unstructured) error {
	if releases := releasesOf(found.GetFinalizers()); len(releases) > 0 {
		return fmt.Errorf("it was not deleted: a release of Rollout %q has begun that uses it", httpapi.Text(releases[0]))
	}
	return nil
}

// guardRouting rejects the deletion of a traffic routing that a release uses:
// it would remain until the end of the release, and route no other release. A
// plan only warns, because the same apply may delete the Rollout first.
func guardRouting(ctx context.Context, c *run.Run, change crud.Change[routing]) (diags diag.Diagnostics) {
	if !c.HasKubernetes() {
		return diags
	}
	if change.Desired != nil {
		if client, err := c.OpenKubernetes(); err == nil && !change.InApply {
			if served, err := client.Serves(ctx, kube.TrafficRoutings); err == nil && !served {
				warnNotInstalled(&diags, kube.TrafficRoutings)
			}
		}
		return diags
	}
	found, err := get(ctx, c, kube.TrafficRoutings, change.ID)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return diags
	case err != nil:
		if change.InApply {
			message.AddError(&diags, "Unable to read releases of traffic routing", err)
		}
		return diags
	}
	releases := releasesOf(found.GetFinalizers())
	if len(releases) == 0 {
		return diags
	}
	const summary = "Release is in progress"
	text := fmt.Sprintf("The release of Rollout %q uses traffic routing %q, which stays in the cluster until the release is over. Approve the remaining steps, or roll the workload back to the previous image and configuration.",
		httpapi.Text(change.ID[0]+"/"+releases[0]), change.ID)
	if change.InApply {
		diags.AddAttributeError(path.Root(attrName), summary, text+fmt.Sprintf("\n\nNothing was deleted. If there is no such release, remove the finalizer %s%s manually (kubectl edit).", progressingFinalizer, httpapi.Text(releases[0])))
	} else {
		diags.AddAttributeWarning(path.Root(attrName), summary, text+" The delete will be refused unless this apply ends the release first, by deleting that Rollout.")
	}
	return diags
}

// checkRoutingRefChange rejects a change of the reference while the current traffic
// routing has the finalizer of this release: the controller removes the
// finalizer only from the traffic routing that the Rollout refers to.
func (g *guardRun) checkRoutingRefChange(at path.Path, name, during string) error {
	namespace, rollout := g.change.ID[0], g.change.ID[1]
	if name == "" {
		return nil
	}
	found, err := g.client.Get(g.ctx, kube.TrafficRoutings, namespace, name)
	if errors.Is(err, apierror.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if slices.Contains(releasesOf(found.GetFinalizers()), rollout) {
		g.addError(at, "Not possible during a release", fmt.Sprintf("Traffic routing %q is in use by this release, and could never be deleted afterwards.", httpapi.Text(namespace+"/"+name))+during)
	}
	return nil
}

// checkRoutesServed warns about new traffic_routings to objects of kinds that the cluster does
// not serve: no release begins, and the Rollout cannot be deleted.
func (g *guardRun) checkRoutesServed() {
	desired, at := g.change.Desired, canaryPath
	if desired.Spec.Strategy.BlueGreen != nil {
		at = blueGreenPath
	}
	at = at.AtName(attrTrafficRoutings)
	style := desired.Spec.Strategy.Style()
	if style == nil || !g.known(at) {
		return
	}
	if b := g.change.Before; b != nil && b.Spec.Strategy.Style() != nil && reflect.DeepEqual(b.Spec.Strategy.Style().TrafficRoutings, style.TrafficRoutings) {
		return
	}
	for i, routing := range style.TrafficRoutings {
		for _, ref := range routing.Objects() {
			if served, err := g.client.Serves(g.ctx, kube.KindOf(ref.APIVersion, ref.Kind)); err == nil && !served {
				g.diags.AddAttributeWarning(at.AtListIndex(i), "Traffic routing of a kind that is not served", fmt.Sprintf(
					"%s %q: the cluster does not serve %q. A release never begins and pauses the workload, and such a Rollout cannot be deleted. Install the CustomResourceDefinition first, or remove this traffic routing.",
					httpapi.Text(ref.Kind), httpapi.Text(desired.Metadata.Namespace+"/"+ref.Name), httpapi.Text(ref.APIVersion)))
			}
		}
	}
}
