package serving

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// checkVersion rejects attributes that an old server would silently ignore.
func checkVersion(ctx context.Context, c *clients.Clients, planned model.Serving, diags *diag.Diagnostics) {
	version, err := c.Kuscia.Version(ctx)
	if err != nil {
		// The request that follows fails with the same error and reports it.
		return
	}
	tooOld := func(at path.Path, attribute, since string) {
		diags.AddAttributeError(at, "Kuscia is too old", fmt.Sprintf(
			"%s needs Kuscia %s; the server is %s and would silently ignore it. Upgrade Kuscia, or remove the attribute.", attribute, since, version.Raw))
	}
	if !version.AtLeast(1, 1) && planned.AffinityMode.ValueString() != kuscia.AntiAffinity {
		tooOld(path.Root("affinity_mode"), "affinity_mode", "v1.1")
	}
	if version.AtLeast(0, 11) {
		return
	}
	if planned.ServingInputConfig.ValueString() == "" {
		diags.AddAttributeError(path.Root(model.AttrConfig), "Missing configuration text", fmt.Sprintf(
			"Kuscia before v0.11 refuses a serving without serving_input_config; the server is %s. Set it, for example to \"{}\".", version.Raw))
	}
	parties := planned.Parties.Items
	for _, p := range parties {
		if p.ServiceNamePrefix.ValueString() != "" {
			tooOld(p.Path().AtName("service_name_prefix"), "service_name_prefix", "v0.11")
		}
	}
}

// checkCreate checks a new serving's parties against their app images in Kuscia
// and returns the ports that Kuscia will allocate.
func checkCreate(ctx context.Context, c *clients.Clients, planned model.Serving, diags *diag.Diagnostics) map[string][]string {
	parties := planned.Parties.Items
	ports := map[string][]string{}
	var missing []crud.Reference
	for _, p := range parties {
		at := p.Path()
		image := requireImage(ctx, c, p, at, &missing, diags)
		if image == nil {
			continue
		}
		addProblems(diags, at, plan.CheckImage(p, image))
		if template := party.TemplateFor(image, p.Role.ValueString()); template != nil {
			if names := party.PortNames(template); len(names) > 0 {
				ports[p.Key().String()] = names
			}
		}
	}
	crud.AddMissing(missing, diags)
	return ports
}

// checkUpdate checks an update's parties against their app images and against
// the ports that are allocated on the server. Kuscia needs the app image of every party
// for any update; without one it accepts the update and never applies it.
func checkUpdate(ctx context.Context, c *clients.Clients, planned, prior model.Serving, private model.Private, diags *diag.Diagnostics) {
	parties := planned.Parties.Items
	before := prior.Parties.Items
	var missing []crud.Reference
	for _, p := range parties {
		at := p.Path()
		old, _ := model.FindParty(before, p.Key())
		change := plan.CompareParties(old, p, private)
		var image *kuscia.AppImage
		if change.AppImage || change.TouchesResources() {
			image = requireImage(ctx, c, p, at, &missing, diags)
		} else {
			var err error
			if image, err = c.AppImages.Get(ctx, p.AppImage.ValueString()); errors.Is(err, kuscia.ErrNotFound) {
				missing = append(missing, imageReference(p, at))
			}
		}
		if image == nil {
			continue
		}
		if change.AppImage || change.TouchesResources() {
			addProblems(diags, at, plan.CheckImage(plan.ConfiguredParty(p, change, private), image))
		} else {
			addProblems(diags, at, plan.CheckLive(plan.ConfiguredParty(p, change, private), image, private.ContainersOf(p.Key())))
		}
		if change.AppImage {
			addProblems(diags, at, checkLiveSwitch(ctx, c, old, p, image, private))
		} else {
			addProblems(diags, at, plan.CheckAllocated(p, image, private.Ports[p.Key().String()], prior.Endpoints))
		}
	}
	crud.AddMissing(missing, diags)
}

func checkLiveSwitch(ctx context.Context, c *clients.Clients, old, p model.Party, image *kuscia.AppImage, private model.Private) []plan.Problem {
	var problems []plan.Problem
	if before, err := c.AppImages.Get(ctx, old.AppImage.ValueString()); err == nil {
		problems = plan.CheckSwitch(p.Role.ValueString(), before, image)
	}
	stored := private.ContainersOf(p.Key())
	if missing := plan.Unreachable(p, image, stored); len(stored) > 0 && len(missing) > 0 {
		problems = append(problems, plan.Problem{Attribute: "app_image", Summary: "Container without resources on a live serving", Detail: fmt.Sprintf(
			"App image %q has the container %s, and Kuscia stores resources on this serving only for %s. Plan again: now that the app image exists, the plan replaces the serving.",
			httpapi.Text(image.Name), httpapi.QuoteAll(missing), httpapi.QuoteAll(stored))})
	}
	return problems
}

// neverStarts is what Kuscia does with a serving whose domain or app image does not exist.
const neverStarts = "It would accept the serving and never start it."

// domainReferences are the domains of the parties of a new serving.
func domainReferences(planned model.Serving) []crud.Reference {
	var all []crud.Reference
	for _, p := range planned.Parties.Items {
		if !p.Unknown {
			all = append(all, crud.DomainReference(p.DomainID.ValueString(), p.Path().AtName("domain_id"), neverStarts))
		}
	}
	return all
}

// imageReference is the app image of a party.
func imageReference(p model.Party, party path.Path) crud.Reference {
	return crud.Reference{Kind: clients.AppImageObjects, ID: p.AppImage.ValueString(), At: party.AtName("app_image"), Without: neverStarts}
}
