package party

import (
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// HasService reports whether Kuscia creates a Service for a port.
func HasService(port kuscia.ContainerPort) bool {
	return port.Scope == "Cluster" || port.Scope == "Domain"
}

// TemplateFor returns the deploy template that Kuscia uses for a role: the first
// one whose comma-separated roles contain it, then the last one without a role,
// then, for the empty role, the first of all.
func TemplateFor(image *kuscia.AppImage, role string) *kuscia.DeployTemplate {
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

// PortNames returns the names of the ports of all containers.
func PortNames(template *kuscia.DeployTemplate) (names []string) {
	for i := range template.Containers {
		for _, port := range template.Containers[i].Ports {
			names = append(names, port.Name)
		}
	}
	return names
}

// ImageLookup returns an app image as it will be when the serving is changed: as
// planned in the same run, otherwise as on the server. Nil means unknown.
type ImageLookup func(name string) *kuscia.AppImage
