package deployment

import (
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// templateOf returns the template of an app image for a party, nil if it is not
// known.
func templateOf(image *kuscia.AppImage, p definition.Reader) *kuscia.DeployTemplate {
	if image == nil || !p.Known(attrRole) {
		return nil
	}
	return party.TemplateFor(image, p.String(attrRole))
}

// checkPorts rejects ports that Kuscia did not allocate when it created the
// deployment.
func checkPorts(image *kuscia.AppImage, p definition.Reader, live *kube.KusciaDeployment, at path.Path, diags *diag.Diagnostics) {
	template := templateOf(image, p)
	if live == nil || template == nil || !p.Known(attrDomainID) {
		return
	}
	allocated, known := live.AllocatedPorts(p.String(attrDomainID), p.String(attrRole))
	if !known {
		return
	}
	if fresh := party.NewPorts(template, allocated); len(fresh) > 0 {
		found := fmt.Sprintf("App image %q has the port %s, for which Kuscia allocated no number when the deployment was created.", httpapi.Text(image.Name), httpapi.QuoteAll(fresh))
		at := at.AtName(attrAppImage)
		diags.AddAttributeError(at, "New port on a live deployment", check.WithPath(at, party.DescribeNewPorts("deployment", found, "use an app image without the port")))
	}
}

// checkPortNames rejects an app image with a port for which Kuscia cannot create a
// Service or a Deployment.
func checkPortNames(image *kuscia.AppImage, p definition.Reader, at path.Path, diags *diag.Diagnostics) {
	template := templateOf(image, p)
	if template == nil {
		return
	}
	at = at.AtName(attrAppImage)
	for _, name := range party.PortNames(template) {
		// A port without a name works, if it needs no Service.
		if problem := party.DescribePortName(name); name != "" && problem != "" {
			diags.AddAttributeError(at, "Invalid port name in the app image", check.WithPath(at, fmt.Sprintf(
				"App image %q: the port %s Kuscia fails to create a deployment with it (CreateServiceFailed or CreateDeploymentFailed), and silently ignores an update to it.", httpapi.Text(image.Name), problem)))
		}
	}
}

// warnNotApplied warns of the attributes of the planned app images that an
// update does not apply to the pods of a deployment. before is the prior
// deployment.
func warnNotApplied(planned, before definition.Reader, deployed deployedParties, objects clusterObjects, diags *diag.Diagnostics) {
	deployed = withDeployed(deployed, before, objects)
	for key, p := range planned.ObjectMap(attrParties) {
		image := objects.plannedOrCurrent(p.String(attrAppImage))
		known, template := deployed[keyText(p)].Definition, templateOf(image, p)
		if known == nil || template == nil {
			continue
		}
		if attributes := party.ChangedAttributes(known, party.DefinitionDigests(image, template)); len(attributes) > 0 {
			at := partiesPath.AtMapKey(key).AtName(attrAppImage)
			diags.AddAttributeWarning(at, party.NotAppliedSummary, check.WithPath(at, notAppliedText(p.String(attrAppImage), attributes)))
		}
	}
}

// warnChangedInPlace warns of app images that this run changes in place without a
// change of the deployment.
func warnChangedInPlace(ctx context.Context, c *run.Run, deployment definition.Value, diags *diag.Diagnostics) {
	root, _ := definition.Read(deployment, definition.Value{})
	for key, p := range root.ObjectMap(attrParties) {
		name := p.String(attrAppImage)
		before, image := changedInPlace(ctx, c, name)
		old, template := templateOf(before, p), templateOf(image, p)
		if old == nil || template == nil {
			continue // unknown or new
		}
		at := partiesPath.AtMapKey(key).AtName(attrAppImage)
		if attributes := party.ChangedAttributes(party.DefinitionDigests(before, old), party.DefinitionDigests(image, template)); len(attributes) > 0 {
			diags.AddAttributeWarning(at, party.NotAppliedSummary, check.WithPath(at, notAppliedText(name, attributes)))
		}
		role := p.String(attrRole)
		if appliedOf(before, role).Text() != appliedOf(image, role).Text() {
			diags.AddAttributeWarning(at, "Running pods may have another image or other resources", check.WithPath(at, fmt.Sprintf(
				"This plan changes the image or the resources of app image %q but not the deployment. Kuscia does not watch app images: the pods change the next time that it reconciles the deployment. "+
					"To change them with every such apply, and to wait for them, change the deployment as well: labels = { app-image = kuscia_app_image.NAME.rollout_revision }.", httpapi.Text(name))))
		}
	}
}

// changedInPlace returns an app image before and after this run, if this run
// applies it; nil for one that is not known.
func changedInPlace(ctx context.Context, c *run.Run, name string) (before, after *kuscia.AppImage) {
	if c == nil || c.AppImages == nil || !c.AppImages.IsPlanned(name) {
		return nil, nil
	}
	if image, err := c.AppImages.Get(ctx, name); err == nil {
		before = image
	}
	if image, err := c.AppImages.GetPlanned(ctx, name); err == nil {
		after = image
	}
	return before, after
}

func notAppliedText(image string, attributes []string) string {
	return party.DescribeNotApplied("deployment", image, attributes) + " To replace the deployment, run terraform apply -replace=ADDRESS."
}

// withDeployed adds the digests that the Deployments of parties were created
// from. For parties that have none yet it uses their current app images.
func withDeployed(deployed deployedParties, root definition.Reader, objects clusterObjects) deployedParties {
	deployed = maps.Clone(deployed)
	for _, p := range root.ObjectMap(attrParties) {
		entry := deployed[keyText(p)]
		if entry.Definition != nil {
			continue
		}
		image := objects.current(p.String(attrAppImage))
		if template := templateOf(image, p); template != nil {
			if deployed == nil {
				deployed = deployedParties{}
			}
			entry.Definition = party.DefinitionDigests(image, template)
			deployed[keyText(p)] = entry
		}
	}
	return deployed
}

// appliedOf returns what an update applies of an app image of the KusciaAPI; nil if it has no template
// for the role.
func appliedOf(image *kuscia.AppImage, role string) *party.Applied {
	return party.AppliedOf(party.ToCluster(image), role)
}
