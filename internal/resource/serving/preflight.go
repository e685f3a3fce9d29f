package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// checkVersion refuses what an old server would silently ignore.
func checkVersion(ctx context.Context, c *clients.Clients, planned model, diags *diag.Diagnostics) {
	version, err := c.API.Version(ctx)
	if err != nil {
		// The request that follows meets the same trouble and explains it.
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
		diags.AddAttributeError(path.Root(attrConfig), "serving_input_config is required", fmt.Sprintf(
			"Kuscia before v0.11 refuses a serving without serving_input_config; the server is %s. Set it, for example to \"{}\".", version.Raw))
	}
	parties := planned.Parties.items
	for i, p := range parties {
		if p.serviceNamePrefix.ValueString() != "" {
			tooOld(path.Root("parties").AtListIndex(i).AtName("service_name_prefix"), "service_name_prefix", "v0.11")
		}
	}
}

// checkCreate checks a new serving's parties against their app images, as the
// server has them now, and returns the ports that Kuscia is going to allocate.
func checkCreate(ctx context.Context, c *clients.Clients, planned model, diags *diag.Diagnostics) map[string][]string {
	parties := planned.Parties.items
	ports := map[string][]string{}
	for i, p := range parties {
		at := path.Root("parties").AtListIndex(i)
		image := requireImage(ctx, c, p, at, diags)
		if image == nil {
			continue
		}
		addProblems(diags, at, checkImage(p, image))
		if template := templateFor(image, p.role.ValueString()); template != nil {
			if names := portNames(template); len(names) > 0 {
				ports[p.key().String()] = names
			}
		}
	}
	return ports
}

// checkUpdate checks an update's parties against their app images and against
// what is already allocated on the server.
func checkUpdate(ctx context.Context, c *clients.Clients, planned, prior model, private privateData, diags *diag.Diagnostics) {
	parties := planned.Parties.items
	before := prior.Parties.items
	for i, p := range parties {
		at := path.Root("parties").AtListIndex(i)
		old, _ := findParty(before, p.key())
		change := compareParties(old, p, private)
		var image *kuscia.AppImage
		if change.appImage || change.touchesResources() {
			image = requireImage(ctx, c, p, at, diags)
		} else {
			image, _ = c.AppImages.Get(ctx, p.appImage.ValueString())
		}
		if image == nil {
			continue
		}
		if change.appImage || change.touchesResources() {
			addProblems(diags, at, checkImage(p.asked(change, private), image))
		} else {
			addProblems(diags, at, checkLive(p.asked(change, private), image, private.containers(p.key())))
		}
		if change.appImage {
			addProblems(diags, at, checkLiveSwitch(ctx, c, old, p, image, private))
		} else {
			addProblems(diags, at, checkAllocated(p, image, private.Ports[p.key().String()], prior.Endpoints))
		}
	}
}

// asked is a party without resources that nobody asked for: what an import read
// and no change touches need not fit another app image.
func (p party) asked(change partyChange, private privateData) party {
	if private.observed(p.key()) && !change.touchesResources() {
		p.resources = resourceList{}
	}
	return p
}

func checkLiveSwitch(ctx context.Context, c *clients.Clients, old, p party, image *kuscia.AppImage, private privateData) []problem {
	var problems []problem
	if before, err := c.AppImages.Get(ctx, old.appImage.ValueString()); err == nil {
		problems = checkSwitch(p.role.ValueString(), before, image)
	}
	stored := private.containers(p.key())
	if missing := unreachable(p, image, stored); len(stored) > 0 && len(missing) > 0 {
		problems = append(problems, problem{"app_image", "Container without resources on a live serving", fmt.Sprintf(
			"App image %q has the container %s, and Kuscia stores resources on this serving only for %s. Plan again: now that the app image exists, the plan replaces the serving.",
			httpapi.Text(image.Name), quoteAll(missing), quoteAll(stored))})
	}
	return problems
}

// checkAllocated finds ports that an app image got after the serving was
// created. allocated are the ports at that time; where they are not known, as
// after an import, only ports with endpoints can be told apart.
func checkAllocated(p party, image *kuscia.AppImage, allocated []string, endpoints types.List) []problem {
	template := templateFor(image, p.role.ValueString())
	counts := func(kuscia.ContainerPort) bool { return true }
	if len(allocated) == 0 {
		allocated = allocatedPorts(p.key(), endpoints)
		counts = func(port kuscia.ContainerPort) bool { return port.Scope == "Cluster" || port.Scope == "Domain" }
	}
	if template == nil || len(allocated) == 0 {
		return nil
	}
	var fresh []string
	for i := range template.Containers {
		for _, port := range template.Containers[i].Ports {
			if counts(port) && !slices.Contains(allocated, port.Name) {
				fresh = append(fresh, port.Name)
			}
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return []problem{{"app_image", "New port on a live serving", fmt.Sprintf(
		"App image %q now has the port %s, which was not there when the serving was created. Kuscia allocates ports only then: it would accept this update, stay Available with the old pods, and never apply it or any later one. Replace the serving (terraform apply -replace=ADDRESS), or take the port out of the app image again.",
		httpapi.Text(image.Name), quoteAll(fresh))}}
}

// allocatedPorts are the port names among a party's endpoints; none where a
// server of before v0.5 does not name them.
func allocatedPorts(key partyKey, endpoints types.List) (names []string) {
	for _, element := range endpoints.Elements() {
		object, ok := element.(types.Object)
		if !ok {
			continue
		}
		attributes := object.Attributes()
		if (partyKey{get[types.String](attributes, "domain_id").ValueString(), get[types.String](attributes, "role").ValueString()}) != key {
			continue
		}
		name := get[types.String](attributes, "port_name").ValueString()
		if name == "" {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// requireImage returns the party's app image. One that does not exist is an
// error; a server that has no app image API cannot be asked.
func requireImage(ctx context.Context, c *clients.Clients, p party, at path.Path, diags *diag.Diagnostics) *kuscia.AppImage {
	name := p.appImage.ValueString()
	image, err := c.AppImages.Get(ctx, name)
	switch {
	case err == nil:
		return image
	case errors.Is(err, kuscia.ErrUnsupported):
	case errors.Is(err, kuscia.ErrNotFound):
		addMissingImage(name, at, diags)
	default:
		clients.AddAttributeError(diags, at.AtName("app_image"), fmt.Sprintf("Unable to look up app image %q", name), err)
	}
	return nil
}

// addMissingImage is the error for an app image that does not exist and, in a
// plan, is not known to be created. It is an error there too, although an app
// image of the same configuration may be planned later: Terraform creates what
// does not refer to each other at the same time, so that the apply would fail by
// chance.
func addMissingImage(name string, party path.Path, diags *diag.Diagnostics) {
	at := party.AtName("app_image")
	diags.AddAttributeError(at, "App image does not exist", locate(at, fmt.Sprintf(
		"Kuscia has no app image %q. It would accept the serving and never start it. Correct the name, or create the app image first. Where this configuration creates it, refer to it (app_image = kuscia_app_image.NAME.name), so that Terraform keeps the order: it creates what does not refer to each other at the same time.", name)))
}
