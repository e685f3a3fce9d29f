package serving

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// problem is something that Kuscia would accept and then fail on silently.
type problem struct {
	attribute string // within the party
	summary   string
	detail    string
}

// templateFor selects the deploy template that Kuscia would use for a role:
// the first one whose comma separated roles have it, then the last one without
// a role, then, for the empty role, the first of all.
func templateFor(image *kuscia.AppImage, role string) *kuscia.DeployTemplate {
	var general *kuscia.DeployTemplate
	for i := range image.DeployTemplates {
		template := &image.DeployTemplates[i]
		if slices.Contains(strings.Split(strings.Trim(template.Role, ","), ","), role) {
			return template
		}
		if template.Role == "" {
			general = template
		}
	}
	if general == nil && role == "" && len(image.DeployTemplates) > 0 {
		general = &image.DeployTemplates[0]
	}
	return general
}

// checkImage checks a party against its app image, for a create and for an
// update alike.
func checkImage(p party, image *kuscia.AppImage) []problem {
	template := templateFor(image, p.role.ValueString())
	if template == nil {
		return []problem{noTemplate(p, image)}
	}
	problems := checkServiceNames(p, template)
	if !p.resources.known() || !p.resources.form().asks() {
		return problems
	}
	return append(problems, checkResources(p.resources.form(), image.Name, template)...)
}

// checkLive checks a live party whose app image and resources stay as they
// are: the app image itself may have changed, and Kuscia looks at all of it
// with every update. Containers that it stores nothing for run with the app
// image's own values, and one that the app image no longer has does no harm.
func checkLive(p party, image *kuscia.AppImage, stored []string) (problems []problem) {
	template := templateFor(image, p.role.ValueString())
	if template == nil {
		return []problem{noTemplate(p, image)}
	}
	if !p.resources.known() {
		return nil
	}
	wanted := p.resources.form()
	for i := range template.Containers {
		container := &template.Containers[i]
		asked := wanted.of(container.Name)
		if asked.empty() || len(stored) > 0 && !slices.Contains(stored, container.Name) {
			continue
		}
		problems = append(problems, checkContainerBounds(asked, container)...)
	}
	return problems
}

func noTemplate(p party, image *kuscia.AppImage) problem {
	return problem{"role", "No deploy template for the role", fmt.Sprintf(
		"App image %q has no deploy template for role %q; its templates serve %s. Kuscia would accept the serving and never start it. Use one of these roles, or add a template to the app image.",
		httpapi.Text(image.Name), p.role.ValueString(), describeRoles(image))}
}

// maxServiceName is the length of the name of a Kubernetes Service.
const maxServiceName = 63

// checkServiceNames finds Services whose names would be too long. Kuscia
// shortens those that it makes of the name of the Deployment, and not those
// with a prefix (v1.1).
func checkServiceNames(p party, template *kuscia.DeployTemplate) (problems []problem) {
	prefix := p.serviceNamePrefix.ValueString()
	if prefix == "" {
		return nil
	}
	for i := range template.Containers {
		for _, port := range template.Containers[i].Ports {
			if (port.Scope == "Cluster" || port.Scope == "Domain") && len(prefix)+1+len(port.Name) > maxServiceName {
				problems = append(problems, problem{"service_name_prefix", "service_name_prefix is too long", fmt.Sprintf(
					"Kuscia names the Service of port %q \"%s-%s\": %d characters, and at most %d are possible. Kuscia would accept the serving and never start it. Shorten the prefix to %d characters.",
					httpapi.Text(port.Name), prefix, httpapi.Text(port.Name), len(prefix)+1+len(port.Name), maxServiceName, maxServiceName-1-len(port.Name))})
			}
		}
	}
	return problems
}

func checkContainerBounds(asked amounts, container *kuscia.Container) []problem {
	return checkBounds(withImageDefaults(asked, container.Resources), fmt.Sprintf("container %q", httpapi.Text(container.Name)), " (values that are not set here come from the app image)")
}

func checkResources(wanted form, image string, template *kuscia.DeployTemplate) (problems []problem) {
	names := make([]string, len(template.Containers))
	for i := range template.Containers {
		names[i] = template.Containers[i].Name
	}
	for _, name := range wanted.names() {
		if !slices.Contains(names, name) {
			problems = append(problems, problem{"resources", "Unknown container", fmt.Sprintf(
				"App image %q has no container %q for this role; it has %s. Correct container_name, or leave it out to mean all containers.", image, name, quoteAll(names))})
		}
	}
	if len(problems) > 0 {
		// The values are meant for one of the containers, and nobody knows which.
		return problems
	}
	for i := range template.Containers {
		container := &template.Containers[i]
		asked := wanted.of(container.Name)
		if asked.empty() {
			problems = append(problems, problem{"resources", "Container without resources", fmt.Sprintf(
				"Container %q of app image %q gets no value. Kuscia would then silently drop the resources of all containers of this party. Give it at least one value, or add an entry without container_name for all containers.", httpapi.Text(container.Name), image)})
			continue
		}
		problems = append(problems, checkContainerBounds(asked, container)...)
	}
	return problems
}

// withImageDefaults is what a container ends up with: Kuscia v1.1 replaces the
// app image's requests as a block, and its limits as a block.
func withImageDefaults(asked amounts, defaults *kuscia.ResourceRequirements) amounts {
	if defaults == nil {
		return asked
	}
	if !asked.hasRequests() && defaults.Requests != nil {
		asked.minCPU, asked.minMemory = defaults.Requests.CPU, defaults.Requests.Memory
	}
	if !asked.hasLimits() && defaults.Limits != nil {
		asked.maxCPU, asked.maxMemory = defaults.Limits.CPU, defaults.Limits.Memory
	}
	return asked
}

// checkBounds finds requests above limits, which Kuscia accepts and Kubernetes
// then refuses out of sight.
func checkBounds(a amounts, of, note string) (problems []problem) {
	for _, bound := range []struct{ what, low, high string }{{"cpu", a.minCPU, a.maxCPU}, {"memory", a.minMemory, a.maxMemory}} {
		low, errLow := tfvalue.ParseQuantity(bound.low)
		high, errHigh := tfvalue.ParseQuantity(bound.high)
		if errLow == nil && errHigh == nil && low.Cmp(high) > 0 {
			problems = append(problems, problem{"resources", "Request above limit", fmt.Sprintf(
				"For %s, min_%s %s is more than max_%s %s%s. Kuscia would accept it and then never be able to start a pod. Lower the one or raise the other.",
				of, bound.what, bound.low, bound.what, bound.high, note)})
		}
	}
	return problems
}

// newPorts are the ports of a party's template in one image that it does not
// have in another. Kuscia allocates ports once, when a serving is created; a
// new one blocks every later update while the state stays Available (v1.1).
func newPorts(role string, before, after *kuscia.AppImage) []string {
	old, next := templateFor(before, role), templateFor(after, role)
	if old == nil || next == nil {
		return nil
	}
	known := portNames(old)
	return slices.DeleteFunc(portNames(next), func(name string) bool { return slices.Contains(known, name) })
}

func portNames(template *kuscia.DeployTemplate) (names []string) {
	for i := range template.Containers {
		for _, port := range template.Containers[i].Ports {
			names = append(names, port.Name)
		}
	}
	return names
}

// checkSwitch checks a live party's change to another app image.
func checkSwitch(role string, before, after *kuscia.AppImage) []problem {
	ports := newPorts(role, before, after)
	if len(ports) == 0 {
		return nil
	}
	return []problem{{"app_image", "New port on a live serving", fmt.Sprintf(
		"App image %q has the port %s, which %q does not have. Kuscia allocates ports only when a serving is created: it would accept the change, stay Available with the old pods, and never apply this or any later update. Replace the serving (terraform apply -replace=ADDRESS), or keep to the ports of the old image.",
		httpapi.Text(after.Name), quoteAll(ports), httpapi.Text(before.Name))}}
}

// addImageReasons adds the containers of a new app image that could not get
// the wanted resources on the live serving.
func (c *partyChange) addImageReasons(prior, planned party, stored []string, images imageLookup) {
	if !c.appImage || planned.appImage.IsUnknown() || len(stored) == 0 || !prior.resources.form().asks() || !planned.resources.known() {
		return
	}
	image := images(planned.appImage.ValueString())
	if image == nil {
		return
	}
	if missing := unreachable(planned, image, stored); len(missing) > 0 {
		c.replace = append(c.replace, replaceReason{attribute: "app_image", why: fmt.Sprintf(
			"App image %q has the container %s. Kuscia stores resources for the containers of the app image with which they were first set (%s) and cannot give any to another one on a live serving.",
			httpapi.Text(image.Name), quoteAll(missing), quoteAll(stored))})
	}
}

// unreachable are the containers of an app image that should get resources and
// that Kuscia stores none for.
func unreachable(planned party, image *kuscia.AppImage, stored []string) (missing []string) {
	template := templateFor(image, planned.role.ValueString())
	if template == nil {
		return nil
	}
	wanted := planned.resources.form()
	for i := range template.Containers {
		name := template.Containers[i].Name
		if !slices.Contains(stored, name) && !wanted.of(name).empty() {
			missing = append(missing, name)
		}
	}
	return missing
}

func describeRoles(image *kuscia.AppImage) string {
	var roles []string
	for i := range image.DeployTemplates {
		roles = append(roles, strings.Split(image.DeployTemplates[i].Role, ",")...)
	}
	return quoteAll(roles)
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return httpapi.Text(strings.Join(quoted, ", "))
}
