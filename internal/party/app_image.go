package party

import (
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// HasService reports whether Kuscia creates a Service for a port.
func HasService(port kuscia.ContainerPort) bool {
	return port.Scope == "Cluster" || port.Scope == "Domain"
}

// TemplateFor returns the deploy template that Kuscia uses for a role, or nil.
func TemplateFor(image *kuscia.AppImage, role string) *kuscia.DeployTemplate {
	return templateFor(image.DeployTemplates, func(t *kuscia.DeployTemplate) string { return t.Role }, role)
}

// ClusterTemplateFor is TemplateFor of an app image of the Kubernetes API.
func ClusterTemplateFor(image *kube.AppImage, role string) *kube.DeployTemplate {
	return templateFor(image.Spec.DeployTemplates, func(t *kube.DeployTemplate) string { return t.Role }, role)
}

// templateFor returns the first template whose comma-separated roles contain a role,
// then the last one without a role, then, for the empty role, the first of all.
func templateFor[T any](templates []T, roles func(*T) string, role string) *T {
	var general *T
	for i := range templates {
		template := &templates[i]
		if slices.Contains(strings.Split(strings.Trim(roles(template), ","), ","), role) {
			return template
		}
		if roles(template) == "" {
			general = template
		}
	}
	if general == nil && role == "" && len(templates) > 0 {
		general = &templates[0]
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

// Template returns the template of an app image for a role; nil if the name is ""
// or the app image is unknown.
func (l ImageLookup) Template(name, role string) *kuscia.DeployTemplate {
	if name == "" {
		return nil
	}
	image := l(name)
	if image == nil {
		return nil
	}
	return TemplateFor(image, role)
}
