package appimage

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
)

// Find returns an app image for use by a serving.
func (w *Images) Find(name string) (*Image, error) {
	image, err := w.Get(name)
	if image == nil && err == nil {
		err = fmt.Errorf("can not get appimage %s from cluster, %w", name, kind.Missing(name))
	}
	return image, err
}

// TemplateFor returns the deploy template of an app image for a role.
func (w *Images) TemplateFor(imageName, role string) (*kuscia.DeployTemplate, error) {
	image, err := w.Find(imageName)
	if err != nil {
		return nil, err
	}
	selected, err := kusciadeployment.SelectTemplate(image.Object.Spec.DeployTemplates, role)
	if err != nil {
		// The server prints its whole object here.
		return nil, fmt.Errorf("can not get deploy template from appimage %s", image.dump())
	}
	return &image.DeployTemplates[selected], nil
}

// dump is a long dump of the object that starts with its name, as the server
// prints it.
func (i *Image) dump() string {
	return fmt.Sprintf("&{{ } {%s    %s 1 1 %s <nil> <nil> map[] map[] [] [] []} {%v %v %+v}}",
		i.Name, i.Object.UID, i.Object.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 -0700 MST"), i.Image, i.ConfigTemplates, i.DeployTemplates)
}
