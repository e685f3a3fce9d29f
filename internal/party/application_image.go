package party

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

// ApplicationImage is what an application needs of an app image for a role; nil if the app image
// is not known or has no template for it.
func ApplicationImage(image *kuscia.AppImage, role string) *secretflow.Image {
	if image == nil {
		return nil
	}
	template := TemplateFor(image, role)
	if template == nil {
		return nil
	}
	index := slices.IndexFunc(image.DeployTemplates, func(t kuscia.DeployTemplate) bool { return t.Name == template.Name && t.Role == template.Role })
	out := &secretflow.Image{
		AppImage: image.Name, Name: image.Image.Name, Tag: image.Image.Tag, Templates: image.ConfigTemplates,
		At: fmt.Sprintf("deploy_templates[%d]", max(index, 0)), Containers: make([]secretflow.Container, len(template.Containers)),
	}
	for i := range template.Containers {
		out.Containers[i] = applicationContainer(&template.Containers[i])
	}
	return out
}

func applicationContainer(c *kuscia.Container) secretflow.Container {
	out := secretflow.Container{Name: c.Name, Command: c.Command, Args: c.Args, EnvFrom: len(c.EnvFrom) > 0}
	for _, variable := range c.Env {
		if out.Env == nil {
			out.Env = map[string]string{}
		}
		out.Env[variable.Name] = variable.Value
	}
	for _, m := range c.ConfigVolumeMounts {
		out.Mounts = append(out.Mounts, secretflow.Mount{Path: m.MountPath, Template: m.SubPath})
	}
	for _, p := range c.Ports {
		out.Ports = append(out.Ports, secretflow.Port{Name: p.Name, Scope: p.Scope})
	}
	return out
}
