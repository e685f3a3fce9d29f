package rollout

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// guard checks the cluster before a change. It reports what the webhook of
// OpenKruise Rollouts would reject because of the current objects, and what the
// webhook would accept although it ends or breaks a release. If the cluster
// cannot be queried, a plan reports nothing, and the apply checks again.
func guard(ctx context.Context, c *run.Run, change crud.Change[object]) diag.Diagnostics {
	var diags diag.Diagnostics
	if change.ID == nil {
		return diags
	}
	if !c.HasKubernetes() {
		if !change.InApply && change.Desired != nil {
			c.CheckKubernetes(&diags, path.Root(attrNamespace))
		}
		return diags
	}
	client, ready := c.ReadyKubernetes(&diags)
	if !ready {
		return diags
	}
	g := &guardRun{ctx: ctx, client: client, change: change, workloads: &c.PlannedWorkloads}
	var err error
	switch {
	case change.Desired == nil:
		err = g.checkDelete()
	case change.Before != nil:
		err = g.checkUpdate()
	}
	if change.Desired != nil && err == nil && !g.diags.HasError() {
		err = errors.Join(g.checkServedVersion(), g.checkWorkload())
	}
	switch {
	case err != nil && change.InApply:
		message.AddError(&g.diags, "Unable to read release of rollout", err)
	case errors.Is(err, apierror.ErrUnsupported) && change.Desired != nil:
		warnNotInstalled(&g.diags, kube.Rollouts[0])
	}
	return g.diags
}

func (g *guardRun) checkDelete() error {
	g.recordRemoved(path.Root(attrName))
	found, err := g.current()
	if err != nil || found == nil || g.change.Before.promote {
		return err
	}
	during, err := describeRelease(g.ctx, g.client, found)
	if during != "" {
		g.addError(path.Root(attrName), "Release is in progress", fmt.Sprintf(
			"Rollout %q is not deleted, since it is %s. %s", g.change.ID, during, promoteHelp))
	}
	return err
}

// checkUpdate rejects changes that are not allowed during a release, in the words of
// the webhook.
func (g *guardRun) checkUpdate() error {
	found, err := g.current()
	if err != nil || found == nil {
		return err
	}
	release := found.Release()
	if !release.InProgress() {
		return g.checkPendingRelease(found)
	}
	desired, now := g.change.Desired.Spec, found.Spec
	at := canaryPath
	if desired.Strategy.BlueGreen != nil {
		at = blueGreenPath
	}
	during := fmt.Sprintf(" The Rollout is %s; change it after the release.", release)
	if g.known(refPath) && desired.WorkloadRef != now.WorkloadRef {
		g.addError(refPath, "Not possible during a release", "workload_ref cannot be changed (\"Rollout 'ObjectRef' field is immutable\")."+during)
	}
	if g.known(path.Root(attrDisabled)) && desired.Disabled && !now.Disabled && !g.change.Before.promote {
		g.addError(path.Root(attrDisabled), "Release is in progress", fmt.Sprintf("Rollout %q is not disabled, since it is %s. %s", g.change.ID, release, promoteHelp))
	}
	if !g.known(canaryPath, blueGreenPath) {
		return nil
	}
	style := desired.Strategy.Style()
	switch {
	case style == nil || now.Strategy.Style() == nil:
		return nil
	case styleName(desired.Strategy) != styleName(now.Strategy):
		g.addError(at, "Not possible during a release", "The style of a release and enable_extra_workload_for_canary cannot be changed (\"Rollout style and enableExtraWorkloadForCanary are immutable\")."+during)
	case !reflect.DeepEqual(style.TrafficRoutings, now.Strategy.Style().TrafficRoutings):
		g.addError(at.AtName(attrTrafficRoutings), "Not possible during a release", "traffic_routings cannot be changed (\"Rollout 'Strategy.Canary|BlueGreen.TrafficRoutings' field is immutable\")."+during)
	case len(desired.Strategy.Steps()) != len(now.Strategy.Steps()):
		g.addError(at.AtName(attrSteps), "Not possible during a release", "The number of steps cannot be changed (\"Amount of Rollout steps are immutable\")."+during)
	default:
		g.checkStepsChange(at.AtName(attrSteps), found, release)
	}
	if ref := now.Strategy.Style().TrafficRoutingRef; style.TrafficRoutingRef != ref {
		return g.checkRoutingRefChange(at.AtName(attrRoutingRef), ref, during)
	}
	return nil
}

func styleName(s kruise.Strategy) string {
	switch {
	case s.BlueGreen != nil:
		return "blueGreen"
	case s.Canary.EnableExtraWorkloadForCanary:
		return "canary"
	default:
		return "partition"
	}
}

// checkServedVersion rejects settings that the API version of the cluster does not
// support.
func (g *guardRun) checkServedVersion() error {
	kind, err := rolloutKind(g.ctx, g.client)
	if err != nil || g.change.Desired.Spec.Strategy.Style() == nil {
		return err
	}
	var missing *kruise.NotInV1Alpha1Error
	if _, err = g.change.Desired.Object(kind.Version); errors.As(err, &missing) {
		at := canaryPath
		if g.change.Desired.Spec.Strategy.BlueGreen != nil {
			at = blueGreenPath
		}
		g.addError(at, "Not in this version of OpenKruise Rollouts", message.Capitalize(missing.Error())+".")
		return nil
	}
	return err
}

// checkWorkload checks the workload: whether it has another Rollout, whether the
// cluster serves its kind, and whether Kuscia sets its update strategy.
func (g *guardRun) checkWorkload() error {
	desired, before := g.change.Desired, g.change.Before
	if !g.known(refPath, path.Root(attrNamespace)) {
		return nil
	}
	if before == nil || before.Spec.WorkloadRef != desired.Spec.WorkloadRef {
		if err := errors.Join(g.checkOtherRollout(), g.checkServedKind()); err != nil {
			return err
		}
	}
	if before != nil && before.Spec.WorkloadRef != desired.Spec.WorkloadRef {
		g.recordRemoved(refPath)
	}
	g.checkPlannedChanges()
	g.warnDeployment()
	g.checkRoutesServed()
	if g.known(canaryPath) && awaitsPods(g.ctx, g.client, desired) {
		g.diags.AddAttributeWarning(canaryPath.AtName(attrExtraWorkload), "Deployment has no pods", fmt.Sprintf(
			"Deployment %q has 0 replicas. With enable_extra_workload_for_canary the controller ignores a Rollout until its Deployment has pods, so an apply does not wait for it. Changes of the image are released step by step only once the Deployment has pods.",
			httpapi.Text(desired.Metadata.Namespace+"/"+desired.Spec.WorkloadRef.Name)))
	}
	if desired.Spec.Strategy.BlueGreen == nil || !g.known(blueGreenPath) || g.diags.HasError() {
		return nil
	}
	return g.checkKusciaStrategy()
}

// checkServedKind rejects in the apply a kind that the cluster does not serve: the webhook
// accepts it, the controller never acts on it, and such a Rollout cannot be
// deleted. A plan warns, as of an object that does not exist yet.
func (g *guardRun) checkServedKind() error {
	ref := g.change.Desired.Spec.WorkloadRef
	if ref.APIVersion == defaultAPIVersion {
		return nil
	}
	kind := kube.KindOf(ref.APIVersion, ref.Kind)
	served, err := g.client.Serves(g.ctx, kind)
	if err == nil && !served {
		at, add := refPath.AtName(attrKind), g.diags.AddAttributeWarning
		if g.change.InApply {
			add = g.diags.AddAttributeError
		}
		add(at, "Workload not served", fmt.Sprintf(
			"The cluster has no %s of %s. The webhook accepts it, but the controller ignores it, and such a Rollout cannot be deleted, so that an apply is refused. Install its CustomResourceDefinition first.", httpapi.Text(ref.Kind), httpapi.Text(ref.APIVersion)))
	}
	return err
}

// checkKusciaStrategy rejects a blue-green release of a Deployment whose update
// strategy is set by Kuscia: such releases kill pods of the stable version, and
// hang.
func (g *guardRun) checkKusciaStrategy() error {
	deployment, err := workload(g.ctx, g.client, g.change.Desired)
	if errors.Is(err, apierror.ErrNotFound) || errors.Is(err, errNoDeployment) {
		return nil
	}
	if err != nil {
		return err
	}
	name := deployment.GetLabels()[kube.LabelKDName]
	if name == "" {
		return nil
	}
	found, err := g.client.Get(g.ctx, kube.KusciaDeployments, kube.CrossDomain, name)
	if errors.Is(err, apierror.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if setsStrategy(found, deployment.GetNamespace(), deployment.GetName()) {
		g.refuseBlueGreen(fmt.Sprintf("KusciaDeployment %q", httpapi.Text(name)))
	}
	return nil
}

// refuseBlueGreen rejects a blue-green release of a Deployment whose update
// strategy is set by Kuscia.
func (g *guardRun) refuseBlueGreen(by string) {
	g.addError(blueGreenPath, "Blue-green does not work with the Deployment", fmt.Sprintf(
		"%s sets the update strategy of Deployment %q: %s", by, httpapi.Text(g.change.Desired.Spec.WorkloadRef.Name), run.BlueGreenConflict))
}

// setsStrategy reports whether a KusciaDeployment sets the update strategy of
// the Deployment of a party.
func setsStrategy(kd *unstructured.Unstructured, namespace, name string) bool {
	parties, _, _ := unstructured.NestedSlice(kd.Object, "spec", "parties")
	for _, one := range parties {
		fields, _ := one.(map[string]any)
		role, _, _ := unstructured.NestedString(fields, "role")
		domain, _, _ := unstructured.NestedString(fields, "domainID")
		strategy, has, _ := unstructured.NestedMap(fields, "template", "strategy")
		if domain == namespace && party.DeploymentName(kd.GetName(), role) == name && has && len(strategy) > 0 {
			return true
		}
	}
	return false
}

// checkPlannedChanges rejects a second Rollout of a workload in the same run, a Rollout if
// the same run gives its Deployment a new version before the Rollout exists, and a
// blue-green Rollout if the same run gives its Deployment an update strategy.
func (g *guardRun) checkPlannedChanges() {
	desired, before := g.change.Desired, g.change.Before
	ref, namespace := desired.Spec.WorkloadRef, desired.Metadata.Namespace
	startsControlling := !desired.Spec.Disabled && (before == nil || before.Spec.Disabled || before.Spec.WorkloadRef != ref)
	blueGreen := !desired.Spec.Disabled && desired.Spec.Strategy.BlueGreen != nil
	stopsControlling := desired.Spec.Disabled && before != nil && !before.Spec.Disabled && before.Spec.WorkloadRef == ref
	planned := g.workloads.RecordRollout(namespace, workloadName(ref), run.PlannedRollout{ID: g.change.ID.String(), StartsControlling: startsControlling, StopsControlling: stopsControlling, BlueGreen: blueGreen})
	if planned.OtherRollout != "" && !g.diags.HasError() {
		g.addError(refPath, "Two Rollouts for one workload", fmt.Sprintf(
			"Rollout %q of the same configuration refers to the same workload, %q, and a workload has at most one: OpenKruise Rollouts would carry out neither. Remove one of the two, or give it another workload.",
			planned.OtherRollout, httpapi.Text(ref.Name)))
		return
	}
	if stopsControlling {
		g.warnStops(path.Root(attrDisabled), planned)
	}
	if blueGreen && planned.StrategySetBy != "" {
		g.refuseBlueGreen(planned.StrategySetBy)
	}
	if !startsControlling || planned.PodsChangedBy == "" {
		return
	}
	g.addError(refPath, "Workload is changed before its Rollout exists", fmt.Sprintf(
		"%s changes Deployment \"%s/%s\" in the same apply in which this Rollout starts to control it, and the Rollout is applied second: all pods would get the new version at once.\n\n"+
			"Apply the Rollout first (terraform apply -target=%s.NAME), then the change. Or reverse the order: set the name of the workload as a literal or a local value instead of a reference, and let the resource that changes it depend on the Rollout (depends_on); the create of the Rollout waits until changes are released step by step.",
		planned.PodsChangedBy, httpapi.Text(namespace), httpapi.Text(ref.Name), rolloutType))
}
