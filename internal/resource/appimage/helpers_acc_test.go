package appimage_test

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const address = "kuscia_app_image.test"

type attrs = map[string]any

// appImage is a configuration with one container and additional lines of HCL
// for the image, the resource, its template and its container.
type appImage struct {
	// label is the name of the resource in the configuration, "test" by
	// default.
	label                                 string
	name, image, top, template, container string
}

// hcl returns the configuration as text, with minimal values by default.
func (a appImage) hcl() string {
	if a.image == "" {
		a.image = `tag = "1"`
	}
	return acctest.AppImageBlock{
		Label: a.label, Name: a.name, Top: attrs{"more": acctest.Lines(a.top)}, Image: attrs{"tag": nil, "more": acctest.Lines(a.image)},
		Template: attrs{"more": acctest.Lines(a.template)}, Container: attrs{"more": acctest.Lines(a.container)},
	}.String()
}
