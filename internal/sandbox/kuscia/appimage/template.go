package appimage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Find returns an app image for use by a serving.
func (w *Images) Find(name string) (*Image, error) {
	if image := w.ByName[name]; image != nil {
		return image, nil
	}
	return nil, fmt.Errorf("can not get appimage %s from cluster, %s", name, server.LookupError(Kind, name))
}

// TemplateFor returns the deploy template of an app image for a role.
func (w *Images) TemplateFor(imageName, role string) (*kuscia.DeployTemplate, error) {
	image, err := w.Find(imageName)
	if err != nil {
		return nil, err
	}
	template, err := SelectTemplate(image.DeployTemplates, role)
	if err != nil {
		// The server prints its whole object here.
		return nil, fmt.Errorf("can not get deploy template from appimage %s", image.dump())
	}
	return template, nil
}

// SelectTemplate selects by role: a template that lists it, else the last one
// without a role, else, for the empty role, the first.
func SelectTemplate(templates []kuscia.DeployTemplate, role string) (*kuscia.DeployTemplate, error) {
	if len(templates) == 0 {
		return nil, errors.New("deploy templates are empty")
	}
	var universal *kuscia.DeployTemplate
	for i := range templates {
		for _, listed := range strings.Split(strings.Trim(templates[i].Role, ","), ",") {
			if listed == role {
				return &templates[i], nil
			}
		}
		if templates[i].Role == "" {
			universal = &templates[i]
		}
	}
	if universal != nil {
		return universal, nil
	}
	if role == "" {
		return &templates[0], nil
	}
	return nil, fmt.Errorf("not found deploy template for role %q", role)
}

// dump is a long dump of the object that starts with its name, as the server
// prints it.
func (i *Image) dump() string {
	return fmt.Sprintf("&{{ } {%s    %08d-0000-4000-8000-%012d %d 1 %s <nil> <nil> map[] map[] [] [] []} {%v %v %+v}}",
		i.Name, i.uid, i.uid, i.uid, i.created.UTC().Format("2006-01-02 15:04:05 -0700 MST"), i.Image, i.ConfigTemplates, i.DeployTemplates)
}
