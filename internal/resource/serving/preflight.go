package serving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// plannedChange is a change of a serving, in the plan or right before it is sent. prior is nil
// for a new serving.
type plannedChange struct {
	planned rules.Serving
	prior   *rules.Serving
	private rules.Private
	moment  crud.Moment
}

// checkParties checks the parties of a planned serving against their app images: those that
// are planned in a plan, and those that Kuscia has in an apply. It needs the app image of every
// party for any update; without one it accepts the update and never applies it.
func checkParties(ctx context.Context, c *run.Run, change plannedChange, diags *diag.Diagnostics) {
	inApply := change.moment == crud.InApply
	find := c.AppImages.GetPlanned
	if inApply {
		find = c.AppImages.Get
	}
	var references []crud.Reference
	if change.prior == nil {
		references = domainReferences(change.planned)
	}
	var issues []check.Issue
	for _, p := range change.planned.Parties().Items {
		if !p.KeyKnown() || p.AppImage().IsUnknown() {
			continue
		}
		image, err := find(ctx, p.AppImage().ValueString())
		switch {
		case err == nil:
			issues = append(issues, change.checkParty(ctx, c, p, image)...)
		case !inApply || errors.Is(err, kuscia.ErrNotFound):
			references = append(references, imageReference(p, p.Path()))
		case change.needsImage(p) && !errors.Is(err, kuscia.ErrUnsupported):
			message.AddAttributeError(diags, p.Path().AtName("app_image"), "Unable to read app image", err)
		}
	}
	diags.Append(check.Plan(issues, nil)...)
	checkPortNeeds(ctx, c, change, diags)
	var missing diag.Diagnostics
	crud.CheckReferences(ctx, c, change.moment, references, &missing)
	if !inApply {
		missing = check.WithResumeDestroy(missing)
	}
	diags.Append(missing...)
}

// checkPortNeeds checks what the ports of app images need of Kuscia. Only the cluster shows the
// numbers of ports, and a Kuscia that needs them has no API for app images.
func checkPortNeeds(ctx context.Context, c *run.Run, change plannedChange, diags *diag.Diagnostics) {
	if !c.HasKubernetes() {
		return
	}
	version := c.KusciaVersion(ctx)
	if version.Has(versions.PortAllocation) {
		return
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return // reported wherever the cluster is required
	}
	for _, p := range change.planned.Parties().Items {
		if !p.KeyKnown() || p.AppImage().IsUnknown() || !change.needsImage(p) {
			continue
		}
		found, err := c.LookupKubernetes(ctx, client, kube.AppImages, "", p.AppImage().ValueString())
		image := &kube.AppImage{}
		if err != nil || kube.Decode(found, image) != nil {
			continue
		}
		_, services := p.Names(change.planned.ServingID())
		crud.AddNeeds(version, p.Path().AtName("app_image"), party.ImageNeeds(image, p.Role().ValueString(), services), diags)
	}
}

// needsImage reports whether a change of a party depends on its app image.
func (change plannedChange) needsImage(p rules.Party) bool {
	if change.prior == nil {
		return true
	}
	old, ok := rules.FindParty(change.prior.Parties().Items, p.Key())
	compared := rules.CompareParties(old, p, change.private)
	return !ok || compared.AppImage || compared.TouchesResources()
}

// checkParty checks one party against its app image. Kuscia checks all parties with every
// update, including those that do not change.
func (change plannedChange) checkParty(ctx context.Context, c *run.Run, p rules.Party, image *kuscia.AppImage) []check.Issue {
	if change.prior == nil {
		return rules.CheckImage(p, image)
	}
	old, ok := rules.FindParty(change.prior.Parties().Items, p.Key())
	if !ok {
		return rules.CheckImage(p, image)
	}
	compared, stored := rules.CompareParties(old, p, change.private), change.private.ContainersOf(p.Key())
	configured := rules.ConfiguredParty(p, compared, change.private)
	issues := rules.CheckLive(configured, image, stored)
	if compared.AppImage || compared.TouchesResources() {
		issues = rules.CheckImage(configured, image)
	}
	current, err := c.AppImages.Get(ctx, old.AppImage().ValueString())
	var ports []check.Issue
	if !compared.AppImage {
		ports = rules.CheckAllocated(p, image, change.private.Ports[p.Key().String()], change.prior.Endpoints())
	}
	if len(ports) == 0 && err == nil {
		ports = rules.CheckSwitch(p, current, image)
	}
	issues = append(issues, ports...)
	if compared.AppImage {
		issues = append(issues, rules.CheckContainers(p, image, stored)...)
	}
	return issues
}

// portsOf returns the ports that Kuscia allocates for a new serving.
func portsOf(ctx context.Context, c *run.Run, planned rules.Serving) map[string][]string {
	images, ports := party.ImageLookup(c.AppImages.Lookup(ctx)), map[string][]string{}
	for _, p := range planned.Parties().Items {
		if template := images.Template(p.AppImage().ValueString(), p.Role().ValueString()); template != nil {
			if names := party.PortNames(template); len(names) > 0 {
				ports[p.Key().String()] = names
			}
		}
	}
	return ports
}

// neverStarts is what Kuscia does with a serving whose domain or app image does not exist.
const neverStarts = "It would accept the serving and never start it."

// domainReferences are the domains of the parties of a new serving.
func domainReferences(planned rules.Serving) []crud.Reference {
	var all []crud.Reference
	for _, p := range planned.Parties().Items {
		if !p.IsUnknown() {
			at := p.Path()
			if p.DomainID().ValueString() != p.Name { // else the key is the domain
				at = at.AtName("domain_id")
			}
			all = append(all, crud.DomainReference(p.DomainID().ValueString(), at, neverStarts))
		}
	}
	return all
}

// imageReference is the app image of a party.
func imageReference(p rules.Party, party path.Path) crud.Reference {
	return crud.Reference{Kind: run.AppImageObjects, ID: p.AppImage().ValueString(), At: party.AtName("app_image"), Without: neverStarts}
}
