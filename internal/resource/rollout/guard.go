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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// guard looks at the cluster before a change: what the webhook of OpenKruise
// Rollouts would refuse because of what is there, and what it would let pass
// although it ends a release or breaks it. A plan in which the cluster cannot be
// asked says nothing; the apply asks again.
func guard(ctx context.Context, c *clients.Clients, change crud.Change[object]) diag.Diagnostics {
	var diags diag.Diagnostics
	if !c.HasKubernetes() {
		if !change.Now && change.Wanted != nil {
			c.CheckKubernetes(&diags, path.Root(attrNamespace))
		}
		return diags
	}
	client, ready := c.ReadyKubernetes(&diags)
	if !ready {
		return diags
	}
	g := &guarding{ctx: ctx, client: client, change: change, releases: &c.Releases}
	var err error
	switch {
	case change.Wanted == nil:
		err = g.deletion()
	case change.Before != nil:
		err = g.update()
	}
	if change.Wanted != nil && err == nil && !g.diags.HasError() {
		err = errors.Join(g.servedVersion(), g.target())
	}
	switch {
	case err != nil && change.Now:
		clients.AddError(&g.diags, fmt.Sprintf("Unable to look at the release of rollout %q", change.ID), err)
	case errors.Is(err, apierror.ErrUnsupported) && change.Wanted != nil:
		warnNotInstalled(&g.diags, kube.Rollouts[0])
	}
	return g.diags
}

// warnNotInstalled warns in a plan that an apply will fail, unless something else in it
// installs OpenKruise Rollouts.
func warnNotInstalled(diags *diag.Diagnostics, kind kube.Kind) {
	diags.AddAttributeWarning(path.Root(attrName), "OpenKruise Rollouts is not installed", fmt.Sprintf(
		"The cluster does not serve %s. If this apply is to install OpenKruise Rollouts, let this resource depend on what does; otherwise the apply will fail. Or the provider block leads to another cluster than meant.", kind))
}

// guarding is one question.
type guarding struct {
	ctx      context.Context //nolint:containedctx // it lives as long as the question
	client   *kube.Client
	change   crud.Change[object]
	releases *clients.PlannedReleases
	diags    diag.Diagnostics
}

// known reports whether nothing in a part of what is wanted is open.
func (g *guarding) known(at ...path.Path) bool {
	return !slices.ContainsFunc(g.change.Gaps.All(), func(gap path.Path) bool {
		return slices.ContainsFunc(at, func(part path.Path) bool {
			inner, outer := gap.Steps(), part.Steps()
			return len(inner) >= len(outer) && inner[:len(outer)].Equal(outer)
		})
	})
}

func (g *guarding) refuse(at path.Path, summary, detail string) {
	g.diags.AddAttributeError(at, summary, detail)
}

// current is the Rollout in the cluster, nil if there is none.
func (g *guarding) current() (*object, error) {
	found, _, err := query(g.ctx, g.client, g.change.ID[0], g.change.ID[1])
	if errors.Is(err, apierror.ErrNotFound) {
		return nil, nil
	}
	return found, err
}

// promotes is what deleting or disabling a Rollout during a release does.
const promotes = "The release is not undone by that: the new version gets all pods at once.\n\n" +
	"Approve the remaining steps, or roll the workload back to the image and configuration of before, and wait for the end of the release. " +
	"If all pods shall get the new version now, set promote_on_destroy = true and apply that first."

func (g *guarding) deletion() error {
	g.releases.NoteRollout(g.change.ID[0], g.change.Before.Spec.WorkloadRef.Name, clients.PlannedRollout{ID: g.change.ID.String()})
	found, err := g.current()
	if err != nil || found == nil || g.change.Before.promote {
		return err
	}
	if during := releaseOf(g.ctx, g.client, found); during != "" {
		g.refuse(path.Root(attrName), "A release is in progress", fmt.Sprintf(
			"Rollout %q is not deleted, since it is %s. %s", g.change.ID, during, promotes))
	}
	return nil
}

// update looks at what cannot be changed during a release, in the words of the
// webhook.
func (g *guarding) update() error {
	found, err := g.current()
	if err != nil || found == nil {
		return err
	}
	release := found.Release()
	if !release.InProgress() && release.Phase != kruise.PhaseTerminating {
		return nil
	}
	wanted, now := g.change.Wanted.Spec, found.Spec
	at := canaryPath
	if wanted.Strategy.BlueGreen != nil {
		at = blueGreenPath
	}
	during := fmt.Sprintf(" The Rollout is %s; change it after the release.", release)
	if g.known(refPath) && wanted.WorkloadRef != now.WorkloadRef {
		g.refuse(refPath, "Not possible during a release", "Rollout 'ObjectRef' field is immutable."+during)
	}
	if g.known(path.Root(attrDisabled)) && wanted.Disabled && !now.Disabled && !g.change.Before.promote {
		g.refuse(path.Root(attrDisabled), "A release is in progress", fmt.Sprintf("Rollout %q is not disabled, since it is %s. %s", g.change.ID, release, promotes))
	}
	if !g.known(canaryPath, blueGreenPath) {
		return nil
	}
	style := wanted.Strategy.Style()
	switch {
	case style == nil || now.Strategy.Style() == nil:
		return nil
	case styleName(wanted.Strategy) != styleName(now.Strategy):
		g.refuse(at, "Not possible during a release", "Rollout style and enableExtraWorkloadForCanary are immutable."+during)
	case !reflect.DeepEqual(style.TrafficRoutings, now.Strategy.Style().TrafficRoutings):
		g.refuse(at.AtName(attrTrafficRoutings), "Not possible during a release", "Rollout 'Strategy.Canary|BlueGreen.TrafficRoutings' field is immutable."+during)
	case len(wanted.Strategy.Steps()) != len(now.Strategy.Steps()):
		g.refuse(at.AtName(attrSteps), "Not possible during a release", "Amount of Rollout steps are immutable."+during)
	}
	if ref := now.Strategy.Style().TrafficRoutingRef; style.TrafficRoutingRef != ref {
		return g.leavesRouting(at.AtName(attrRoutingRef), ref, during)
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

// servedVersion refuses what the version that the cluster serves cannot hold.
func (g *guarding) servedVersion() error {
	kind, err := rolloutKind(g.ctx, g.client)
	if err != nil || g.change.Wanted.Spec.Strategy.Style() == nil {
		return err
	}
	var missing *kruise.NotInV1Alpha1Error
	if _, err = g.change.Wanted.Object(kind.Version); errors.As(err, &missing) {
		at := canaryPath
		if g.change.Wanted.Spec.Strategy.BlueGreen != nil {
			at = blueGreenPath
		}
		g.refuse(at, "Not in this version of OpenKruise Rollouts", clients.Capitalize(missing.Error())+".")
		return nil
	}
	return err
}

// target looks at the workload: whether another Rollout has it, whether its kind
// is there at all, and whether somebody else sets its strategy.
func (g *guarding) target() error {
	wanted, before := g.change.Wanted, g.change.Before
	if !g.known(refPath, path.Root(attrNamespace)) {
		return nil
	}
	if before == nil || before.Spec.WorkloadRef != wanted.Spec.WorkloadRef {
		if err := errors.Join(g.otherRollout(), g.servedKind()); err != nil {
			return err
		}
	}
	g.changedToo()
	g.routingExists()
	if wanted.Spec.Strategy.BlueGreen == nil || !g.known(blueGreenPath) || g.diags.HasError() {
		return nil
	}
	return g.strategyOfKuscia()
}

// otherRollout looks for another Rollout of the same workload.
func (g *guarding) otherRollout() error {
	kind, err := rolloutKind(g.ctx, g.client)
	if err != nil {
		return err
	}
	namespace := g.change.Wanted.Metadata.Namespace
	all, err := g.client.List(g.ctx, kind, kube.ListOptions{Namespace: namespace})
	if err != nil {
		return err //nolint:wrapcheck // the client's errors say what was asked
	}
	for i := range all.Items {
		other, err := kruise.RolloutFrom(all.Items[i].Object)
		if err != nil || other.Metadata.Name == g.change.Wanted.Metadata.Name || other.Spec.WorkloadRef != g.change.Wanted.Spec.WorkloadRef {
			continue
		}
		g.refuse(refPath, "The workload has a Rollout", fmt.Sprintf(
			"This rollout conflict with Rollout(%s/%s), one workload only have less than one Rollout. Import that one, or delete it first.", httpapi.Text(namespace), httpapi.Text(other.Metadata.Name)))
	}
	return nil
}

// servedKind refuses a kind that the cluster does not have: the webhook accepts
// it, nothing ever happens, and such a Rollout cannot be deleted.
func (g *guarding) servedKind() error {
	ref := g.change.Wanted.Spec.WorkloadRef
	if ref.APIVersion == defaultAPIVersion {
		return nil
	}
	kind := kindOf(ref)
	served, err := g.client.Serves(g.ctx, kind)
	if err == nil && !served {
		g.refuse(refPath.AtName(attrKind), "Workload not served", fmt.Sprintf(
			"The cluster has no %s of %s. The webhook accepts it, the controller never does anything, and such a Rollout cannot be deleted. Install its CustomResourceDefinition first.", httpapi.Text(ref.Kind), httpapi.Text(ref.APIVersion)))
	}
	return err //nolint:wrapcheck // the client's errors say what was asked
}

// strategyOfKuscia refuses a blue-green release of a Deployment whose strategy
// Kuscia sets: it was seen to kill pods of the stable version, and to hang.
func (g *guarding) strategyOfKuscia() error {
	deployment, err := workload(g.ctx, g.client, g.change.Wanted)
	if errors.Is(err, apierror.ErrNotFound) || errors.Is(err, errNoDeployment) {
		return nil
	}
	if err != nil {
		return err
	}
	name := deployment.GetLabels()["kuscia.secretflow/kd-name"]
	if name == "" {
		return nil
	}
	found, err := g.client.Get(g.ctx, kube.KusciaDeployments, "cross-domain", name)
	if errors.Is(err, apierror.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err //nolint:wrapcheck // the client's errors say what was asked
	}
	if setsStrategy(found, deployment.GetNamespace(), deployment.GetName()) {
		g.refuseBlueGreen(fmt.Sprintf("KusciaDeployment %q", httpapi.Text(name)))
	}
	return nil
}

// refuseBlueGreen refuses a blue-green release of a Deployment whose strategy Kuscia sets.
func (g *guarding) refuseBlueGreen(by string) {
	g.refuse(blueGreenPath, "Blue-green does not work with this Deployment", fmt.Sprintf(
		"%s sets the update strategy of Deployment %q: %s", by, httpapi.Text(g.change.Wanted.Spec.WorkloadRef.Name), clients.BlueGreenBreaks))
}

// setsStrategy reports whether a KusciaDeployment sets the strategy of the
// Deployment of a party.
func setsStrategy(kd *unstructured.Unstructured, namespace, name string) bool {
	parties, _, _ := unstructured.NestedSlice(kd.Object, "spec", "parties")
	for _, one := range parties {
		party, _ := one.(map[string]any)
		role, _, _ := unstructured.NestedString(party, "role")
		domain, _, _ := unstructured.NestedString(party, "domainID")
		own := kd.GetName()
		if role != "" {
			own += "-" + role
		}
		strategy, has, _ := unstructured.NestedMap(party, "template", "strategy")
		if domain == namespace && own == name && has && len(strategy) > 0 {
			return true
		}
	}
	return false
}

// changedToo refuses a Rollout whose Deployment gets a new version in the same
// run, before the Rollout is there, and a blue-green one of a Deployment that gets a
// strategy.
func (g *guarding) changedToo() {
	wanted, before := g.change.Wanted, g.change.Before
	ref, namespace := wanted.Spec.WorkloadRef, wanted.Metadata.Namespace
	if ref.Kind != defaultKind {
		return
	}
	takesUp := !wanted.Spec.Disabled && (before == nil || before.Spec.Disabled || before.Spec.WorkloadRef != ref)
	blueGreen := !wanted.Spec.Disabled && wanted.Spec.Strategy.BlueGreen != nil
	planned := g.releases.NoteRollout(namespace, ref.Name, clients.PlannedRollout{ID: namespace + "/" + wanted.Metadata.Name, TakesUp: takesUp, BlueGreen: blueGreen})
	if blueGreen && planned.StrategyBy != "" {
		g.refuseBlueGreen(planned.StrategyBy)
	}
	if !takesUp || planned.ReleasedBy == "" {
		return
	}
	g.refuse(refPath, "The workload is changed before its Rollout is there", fmt.Sprintf(
		"%s changes Deployment %s/%s in the same apply in which this Rollout takes it up, and the Rollout comes second: all pods would get the new version at once.\n\n"+
			"Apply the Rollout first (terraform apply -target=%s.NAME), and the change then. Or turn the order round: write the name of the workload as text or as a local value instead of a reference, and let what changes it depend on the Rollout (depends_on); the create of the Rollout waits until changes are released step by step.",
		planned.ReleasedBy, httpapi.Text(namespace), httpapi.Text(ref.Name), rolloutType))
}
