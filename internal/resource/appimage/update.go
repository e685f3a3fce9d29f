package appimage

import (
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// updateRequest returns an update. Kuscia replaces the fields that it receives, keeps missing ones, and
// clears config templates only if it receives an empty map. Deploy templates that the plan does not
// change are left out, and stay with all that the KusciaAPI does not carry of them, as another client
// may have changed them since. before is the app image in the state.
func updateRequest(desired, before *kuscia.AppImage) *kuscia.UpdateAppImageRequest {
	configTemplates := desired.ConfigTemplates
	if configTemplates == nil {
		configTemplates = map[string]string{}
	}
	request := &kuscia.UpdateAppImageRequest{
		Name:            desired.Name,
		Image:           desired.Image,
		ConfigTemplates: &configTemplates,
	}
	if !keepsTemplates(desired, before) {
		request.DeployTemplates = desired.DeployTemplates
	}
	return request
}

// keepsTemplates reports whether an update does not change the deploy templates, for the plan and for
// the request. before is nil if nothing is known.
func keepsTemplates(desired, before *kuscia.AppImage) bool {
	return before != nil && len(templates().Differences(templatesOf(desired), templatesOf(before))) == 0
}

// templates are the deploy templates alone, for comparisons.
var templates = sync.OnceValue(func() *definition.Definition {
	return definition.New(definition.Schema{Attributes: []definition.Attribute{templatesAttribute()}})
})

func templatesOf(image *kuscia.AppImage) definition.Value {
	return templates().FromServer(tree{templatesAttribute().Name: definition.Each(image.DeployTemplates, treeTemplate)})
}
