package deployment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Kuscia accepts a KusciaDeployment whose domains or app images do not exist,
// and reports little or nothing about it. The preflight check reads them, in a plan
// and before a request is sent. Without permission to read them it reports nothing.

// guard refuses the plan of a change that the objects do not allow which the parties need, and warns
// of what is not applied to existing Deployments. In the apply, before does.
func guard(ctx context.Context, c *run.Run, change crud.Change[object]) (diags diag.Diagnostics) {
	client, err := c.OpenKubernetes()
	if change.InApply || change.Desired == nil || err != nil || !c.ReachedKubernetes(ctx, &diags) {
		return diags
	}
	if refuseWithoutNamespaces(ctx, client, &diags); diags.HasError() {
		return diags
	}
	var live *object
	if change.Before != nil {
		// If the read fails, the apply reads it again.
		live, _ = calls(c).Read(ctx, change.ID)
	}
	objects := planObjects(ctx, c, client, live)
	objects.creates, objects.version = change.Before == nil, versionOf(ctx, c)
	preflight(change.Desired.planned, objects, &diags)
	if change.Before != nil {
		warnNotApplied(change.Desired.planned, change.Before.planned, crud.Recall[deployedParties](change.Memory), objects, &diags)
	}
	return diags
}

// before refuses a change that the objects do not allow which the parties need, completes an update,
// waits for the Rollouts that have to control the Deployments before it, and remembers from which app
// images the Deployments are created.
func before(ctx context.Context, c *run.Run, change *crud.Change[object], diags *diag.Diagnostics) crud.Memory {
	if change.Before != nil && len(change.Sent) == 0 {
		complete(change, clusterObjects{}, diags)
		return change.Memory
	}
	client, err := c.OpenKubernetes()
	if err != nil {
		return change.Memory // the request reports it
	}
	if refuseWithoutNamespaces(ctx, client, diags); diags.HasError() {
		return change.Memory
	}
	created := change.Desired.planned
	objects := applyObjects(ctx, client, change.Found, created.Bool(definition.AttrWaitForRollout))
	objects.isNew, objects.version = change.Before == nil, versionOf(ctx, c)
	preflight(created, objects, diags)
	if diags.Append(checkApplicationInApply(*change, objects)...); diags.HasError() {
		return change.Memory
	}
	if change.Before != nil {
		created = change.Before.planned
		if complete(change, objects, diags); diags.HasError() {
			return change.Memory
		}
		awaitRolloutControl(ctx, c, *change, diags)
	}
	return crud.Remember(withDeployed(crud.Recall[deployedParties](change.Memory), created, objects))
}

// refuseWithoutNamespaces refuses a change in a cluster whose KusciaDeployments have no namespace.
func refuseWithoutNamespaces(ctx context.Context, client *kube.Client, diags *diag.Diagnostics) {
	if clusterScoped, err := client.ServesWithoutNamespaces(ctx, kube.KusciaDeployments); err == nil && clusterScoped {
		at := path.Root(attrName)
		diags.AddAttributeError(at, "Kuscia is too old", check.WithPath(at, needsNamespaces.Text(versions.Version{})))
	}
}

// versionOf returns the version of Kuscia when it is needed.
func versionOf(ctx context.Context, c *run.Run) func() versions.Version {
	return func() versions.Version {
		if !c.ReachedKuscia(ctx, nil) {
			return versions.Version{}
		}
		return c.KusciaVersion(ctx)
	}
}

// needsNamespaces are KusciaDeployments in a namespace. The cluster shows whether it has them.
var needsNamespaces = versions.Need{Feature: versions.NamespacedDeployments, Without: "which has KusciaDeployments without one", Instead: "use kuscia_serving"}

// references are the domains and app images of the parties. Kuscia needs them for every
// create and update.
func references(o *object) (all []crud.Reference) {
	for key, p := range o.planned.ObjectMap(attrParties) {
		at := partiesPath.AtMapKey(key)
		all = append(all, crud.Reference{
			Kind: run.ClusterDomains, ID: p.String(attrDomainID), At: at.AtName(attrDomainID), EachUpdate: true,
			Without: "Kuscia would silently ignore the deployment, and its status would stay empty.",
		}, crud.Reference{
			Kind: run.ClusterAppImages, ID: p.String(attrAppImage), At: at.AtName(attrAppImage), EachUpdate: true,
			Without: "Kuscia fails to create a deployment without its app image (BuildPartyKitInfoFailed), does not retry when it is created, and silently ignores an update to it.",
		})
	}
	return all
}

// preflight checks what the parties set against the objects that they need.
func preflight(root definition.Reader, objects clusterObjects, diags *diag.Diagnostics) {
	for key, p := range root.ObjectMap(attrParties) {
		at := partiesPath.AtMapKey(key)
		if objects.waits || objects.isNew {
			checkDeployment(objects, root.String(attrName), p, at, diags)
		}
		name := p.String(attrAppImage)
		if name == "" {
			continue
		}
		runsHere, image := !isPartner(objects, p.String(attrDomainID)), objects.plannedOrCurrent(name)
		checkPorts(image, p, objects.live, at, diags)
		if runsHere {
			checkServiceNames(image, p, at, diags)
			checkPortNames(image, p, at, diags)
		}
		if objects.isPlanned(kube.AppImages, name) {
			if image != nil {
				checkImage(party.ToCluster(image), p, runsHere, objects.creates, at, diags)
			}
			continue
		}
		found, err := objects.get(kube.AppImages, name)
		switch {
		case objects.waits && errors.Is(err, kube.ErrForbidden):
			message.AddAttributeError(diags, at.AtName(attrAppImage), "Missing permission to read app image",
				fmt.Errorf("without it the provider cannot determine whether the deployment runs; nothing was sent: %w", err))
		case err == nil:
			if current := (&kube.AppImage{}); kube.Decode(found, current) == nil {
				checkImage(current, p, runsHere, objects.creates, at, diags)
				checkImageNeeds(root, objects, current, p, at, diags)
			}
		}
	}
}

// checkImageNeeds checks what a new party needs of Kuscia because of its app image.
func checkImageNeeds(root definition.Reader, objects clusterObjects, image *kube.AppImage, p definition.Reader, at path.Path, diags *diag.Diagnostics) {
	if objects.live != nil || !p.Known(attrRole) || !p.Known(attrPrefix) {
		return
	}
	services := cmp.Or(p.String(attrPrefix), party.DeploymentName(root.String(attrName), p.String(attrRole)))
	if needs := party.ImageNeeds(image, p.String(attrRole), services); len(needs) > 0 {
		crud.AddNeeds(objects.version(), at.AtName(attrAppImage), needs, diags)
	}
}

// checkDeployment reports that the Deployment of a party may not be read, although the wait
// needs it, and that a new party would use the Deployment of another KusciaDeployment.
// Partners, which other control planes run, have theirs elsewhere.
func checkDeployment(objects clusterObjects, name string, p definition.Reader, at path.Path, diags *diag.Diagnostics) {
	if _, err := objects.get(kube.Domains, p.String(attrDomainID)); errors.Is(err, apierror.ErrNotFound) || isPartner(objects, p.String(attrDomainID)) {
		return
	}
	existing, err := objects.readDeployment(p.String(attrDomainID), party.DeploymentName(name, p.String(attrRole)))
	switch {
	case objects.waits && errors.Is(err, kube.ErrForbidden):
		message.AddAttributeError(diags, at, "Missing permission to read the Deployment",
			fmt.Errorf("without it the provider cannot determine whether the deployment runs; nothing was sent: %w", err))
	case objects.isNew && err == nil && existing.GetLabels()[kube.LabelKDName] != name:
		owner := "no KusciaDeployment"
		if other := existing.GetLabels()[kube.LabelKDName]; other != "" {
			owner = "KusciaDeployment " + tfvalue.Quote(other)
		}
		diags.AddAttributeError(at.AtName(attrRole), "Deployment already exists", check.WithPath(at.AtName(attrRole), fmt.Sprintf(
			"Kuscia names the Deployment of a party NAME or NAME-ROLE, and the domain %s already has a Deployment %s, which belongs to %s. Kuscia would fail (CreateDeploymentFailed). "+
				"Change the name or the role. If that Deployment is being deleted, apply again.\n\nNothing was sent.",
			tfvalue.Quote(p.String(attrDomainID)), tfvalue.Quote(existing.GetName()), owner)))
	}
}

// checkImage checks a party against its app image. runsHere is set unless it is a partner,
// creates if its Deployment will be new.
func checkImage(image *kube.AppImage, p definition.Reader, runsHere, creates bool, at path.Path, diags *diag.Diagnostics) {
	if !p.Known(attrRole) {
		return
	}
	template := party.ClusterTemplateFor(image, p.String(attrRole))
	if template == nil {
		diags.AddAttributeError(at.AtName(attrRole), "Missing deploy template for the role", fmt.Sprintf(
			"%s: app image %s has no template for the role %s, and none for every role. Kuscia fails in this case (BuildPartyKitInfoFailed). Set a role that the app image has, or add a deploy template for this one to it.", at.AtName(attrRole), tfvalue.Quote(p.String(attrAppImage)), tfvalue.Quote(p.String(attrRole))))
		return
	}
	if n := template.Replicas; creates && n != nil && *n == 0 && p.Known(attrReplicas) && !p.Has(attrReplicas) {
		diags.AddAttributeWarning(at.AtName(attrReplicas), "Zero replicas", fmt.Sprintf(
			"%s is not set, and app image %s has 0 replicas, so no pod will run. Set replicas, or set it in the app image.", at.AtName(attrReplicas), tfvalue.Quote(p.String(attrAppImage))))
	}
	if runsHere {
		checkInherited(template, p, at, diags)
	}
	var names []string
	for _, c := range template.Spec.Containers {
		names = append(names, c.Name)
	}
	for name, container := range p.ObjectMap(attrContainers) {
		at := at.AtName(attrContainers).AtMapKey(name)
		j := slices.Index(names, name)
		switch {
		case j >= 0 && runsHere:
			checkAmounts(template.Spec.Containers[j].Resources, container, at, diags)
		case j < 0 && name != "":
			diags.AddAttributeWarning(at, "Unknown container", fmt.Sprintf(
				"%s: app image %s has no container %s; it has %s. Kuscia stores resources for other containers but ignores them.", at, tfvalue.Quote(p.String(attrAppImage)), tfvalue.Quote(name), httpapi.QuoteAll(names)))
		}
	}
}

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
