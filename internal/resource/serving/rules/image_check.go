package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// CheckImage checks a party against its app image, for a create or an update.
func CheckImage(p Party, image *kuscia.AppImage) []check.Issue {
	template := party.TemplateFor(image, p.Role().ValueString())
	if template == nil {
		return []check.Issue{noTemplate(p, image)}
	}
	problems := checkServiceNames(p, template)
	if !p.Resources().Known() || !p.Resources().Spec().IsSet() {
		return problems
	}
	return append(problems, checkResources(p, image.Name, template)...)
}

// CheckLive checks a live party whose app image and resources do not change: the
// app image itself may have changed, and Kuscia checks all of it with every
// update. Containers without stored resources run with the app image's own
// values, and a container that the app image no longer has does no harm.
func CheckLive(p Party, image *kuscia.AppImage, stored []string) (problems []check.Issue) {
	template := party.TemplateFor(image, p.Role().ValueString())
	if template == nil {
		return []check.Issue{noTemplate(p, image)}
	}
	if !p.Resources().Known() {
		return nil
	}
	desired := p.Resources().Spec()
	for i := range template.Containers {
		container := &template.Containers[i]
		set := desired.ForContainer(container.Name)
		if set.Empty() || len(stored) > 0 && !slices.Contains(stored, container.Name) {
			continue
		}
		problems = append(problems, checkContainerBounds(p, container)...)
	}
	return problems
}

func noTemplate(p Party, image *kuscia.AppImage) check.Issue {
	return unusable(p.Path().AtName("role"), "Missing deploy template for the role", fmt.Sprintf(
		"App image %q has no deploy template for role %q; its templates serve %s. Kuscia would accept the serving and never start it. Use one of these roles, or add a template to the app image.",
		httpapi.Text(image.Name), p.Role().ValueString(), describeRoles(image)))
}

// checkServiceNames finds Service names that would be too long.
func checkServiceNames(p Party, template *kuscia.DeployTemplate) (problems []check.Issue) {
	for _, detail := range party.LongServiceNames(template, p.ServiceNamePrefix().ValueString()) {
		problems = append(problems, unusable(p.Path().AtName("service_name_prefix"), "Service name too long", detail+" Kuscia would accept the serving and never start it."))
	}
	return problems
}

func checkContainerBounds(p Party, container *kuscia.Container) []check.Issue {
	set := WithImageDefaults(p.Resources().Spec().ForContainer(container.Name), container.Resources)
	return checkBounds(set, fmt.Sprintf("container %q", httpapi.Text(container.Name)), " (values that are not set here come from the app image)",
		p.Path().AtName(p.Resources().AttributeOf(container.Name)))
}

func checkResources(p Party, image string, template *kuscia.DeployTemplate) (problems []check.Issue) {
	desired, named := p.Resources().Spec(), p.Path().AtName(AttrContainerResources)
	names := make([]string, len(template.Containers))
	for i := range template.Containers {
		names[i] = template.Containers[i].Name
	}
	for _, name := range desired.Names() {
		if !slices.Contains(names, name) {
			problems = append(problems, unusable(named, "Unknown container", fmt.Sprintf(
				"App image %q has no container %q for this role; it has %s. Correct the key, or use the attribute resources for all containers.", image, name, httpapi.QuoteAll(names))))
		}
	}
	if len(problems) > 0 {
		// The values are for one of the containers, and it is unknown which.
		return problems
	}
	for i := range template.Containers {
		container := &template.Containers[i]
		if desired.ForContainer(container.Name).Empty() {
			problems = append(problems, unusable(named, "Container without resources", fmt.Sprintf(
				"Container %q of app image %q gets no value. Kuscia would then silently drop the resources of all containers of this party. Set at least one value, or set the attribute resources for all containers.", httpapi.Text(container.Name), image)))
			continue
		}
		problems = append(problems, checkContainerBounds(p, container)...)
	}
	return problems
}

// checkBounds finds requests above limits, which Kuscia accepts and Kubernetes
// then rejects without a visible error.
func checkBounds(a Amounts, of, note string, at path.Path) (problems []check.Issue) {
	for _, bound := range []struct{ what, low, high string }{{"cpu", a.MinCPU, a.MaxCPU}, {"memory", a.MinMemory, a.MaxMemory}} {
		low, errLow := tfvalue.ParseQuantity(bound.low)
		high, errHigh := tfvalue.ParseQuantity(bound.high)
		if errLow == nil && errHigh == nil && low.Cmp(high) > 0 {
			problems = append(problems, unusable(at, "Request above limit", fmt.Sprintf(
				"For %s, min_%s %s is more than max_%s %s%s. Kuscia would accept it, but could never start a pod. Lower the request or raise the limit.",
				of, bound.what, bound.low, bound.what, bound.high, note)))
		}
	}
	return problems
}

// CheckSwitch checks the change of a live party to another app image.
func CheckSwitch(p Party, before, after *kuscia.AppImage) []check.Issue {
	role := p.Role().ValueString()
	old, next := party.TemplateFor(before, role), party.TemplateFor(after, role)
	if old == nil || next == nil {
		return nil
	}
	ports := party.NewPorts(next, party.PortNames(old))
	if len(ports) == 0 {
		return nil
	}
	return newPorts(p, fmt.Sprintf("App image %q has the port %s, which %q does not have.", httpapi.Text(after.Name), httpapi.QuoteAll(ports), httpapi.Text(before.Name)),
		"use only the ports of the old image")
}

func newPorts(p Party, found, instead string) []check.Issue {
	return []check.Issue{unusable(p.Path().AtName("app_image"), "New port on a live serving", party.DescribeNewPorts("serving", found, "replace it by another value of a key in replace_triggers, or "+instead))}
}

// addImageReasons adds the containers of a new app image that could not get the
// desired resources on the live serving.
func (c *PartyChange) addImageReasons(prior, planned Party, stored []string, images party.ImageLookup) {
	if !c.AppImage || planned.AppImage().IsUnknown() || len(stored) == 0 || !prior.Resources().Spec().IsSet() || !planned.Resources().Known() {
		return
	}
	image := images(planned.AppImage().ValueString())
	if image == nil {
		return
	}
	if missing := Unreachable(planned, image, stored); len(missing) > 0 {
		c.Replace = append(c.Replace, replaceReason{Attribute: "app_image", Why: fmt.Sprintf(
			"App image %q has the container %s. Kuscia stores resources for the containers of the app image with which they were first set (%s) and cannot add any to another one on a live serving.",
			httpapi.Text(image.Name), httpapi.QuoteAll(missing), httpapi.QuoteAll(stored))})
	}
}

// Unreachable returns the containers of an app image that should get resources
// and have none stored by Kuscia.
func Unreachable(planned Party, image *kuscia.AppImage, stored []string) (missing []string) {
	template := party.TemplateFor(image, planned.Role().ValueString())
	if template == nil {
		return nil
	}
	desired := planned.Resources().Spec()
	for i := range template.Containers {
		name := template.Containers[i].Name
		if !slices.Contains(stored, name) && !desired.ForContainer(name).Empty() {
			missing = append(missing, name)
		}
	}
	return missing
}

// CheckContainers finds containers of another app image that could not get their resources on a
// live serving. A plan that knows the app image replaces the serving.
func CheckContainers(p Party, image *kuscia.AppImage, stored []string) []check.Issue {
	missing := Unreachable(p, image, stored)
	if len(stored) == 0 || len(missing) == 0 {
		return nil
	}
	return []check.Issue{unusable(p.Path().AtName("app_image"), "Container without resources on a live serving", fmt.Sprintf(
		"App image %q has the container %s, and Kuscia stores resources on this serving only for %s. Plan again: now that the app image exists, the plan replaces the serving.",
		httpapi.Text(image.Name), httpapi.QuoteAll(missing), httpapi.QuoteAll(stored)))}
}

func describeRoles(image *kuscia.AppImage) string {
	var roles []string
	for i := range image.DeployTemplates {
		roles = append(roles, strings.Split(image.DeployTemplates[i].Role, ",")...)
	}
	return httpapi.QuoteAll(roles)
}

// ConfiguredParty returns a party without resources that are not configured:
// resources that were only read by an import and do not change need not fit
// another app image.
func ConfiguredParty(p Party, change PartyChange, private Private) Party {
	if private.ResourcesObserved(p.Key()) && !change.TouchesResources() {
		p = p.WithResources(Resources{})
	}
	return p
}

// CheckAllocated finds ports that an app image got after the serving was
// created. allocated are the ports at that time; if they are unknown, as after
// an import, only ports with endpoints can be distinguished.
func CheckAllocated(p Party, image *kuscia.AppImage, allocated []string, endpoints types.Map) []check.Issue {
	template := party.TemplateFor(image, p.Role().ValueString())
	counts := func(kuscia.ContainerPort) bool { return true }
	if len(allocated) == 0 {
		allocated = allocatedPorts(p.Key(), endpoints)
		counts = func(port kuscia.ContainerPort) bool { return port.Scope == "Cluster" || port.Scope == "Domain" }
	}
	if template == nil || len(allocated) == 0 {
		return nil
	}
	var added []string
	for i := range template.Containers {
		for _, port := range template.Containers[i].Ports {
			if counts(port) && !slices.Contains(allocated, port.Name) {
				added = append(added, port.Name)
			}
		}
	}
	if len(added) == 0 {
		return nil
	}
	return newPorts(p, fmt.Sprintf("App image %q now has the port %s, which was not there when the serving was created.", httpapi.Text(image.Name), httpapi.QuoteAll(added)),
		"remove the port from the app image again")
}

// allocatedPorts returns the port names among a party's endpoints; none if the
// server, older than v0.5, does not name them: their keys have addresses then.
func allocatedPorts(key party.Key, endpoints types.Map) (names []string) {
	for at := range endpoints.Elements() {
		name, of := strings.CutPrefix(strings.TrimRight(at, "/"), key.MapKey()+"/")
		switch {
		case !of || strings.Contains(name, "/"): // of another party
		case strings.ContainsAny(name, ".:"):
			return nil
		default:
			names = append(names, name)
		}
	}
	return names
}

func unusable(at path.Path, summary, detail string) check.Issue {
	return check.Issue{At: at, Summary: summary, Detail: detail, Severity: check.Unusable}
}
