package appimage

import (
	"context"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// update sends an update. It leaves out deploy templates that it does not change, with all that the
// KusciaAPI does not carry of them.
func update(ctx context.Context, c *clients.Clients, desired *kuscia.AppImage) error {
	request := updateRequest(desired)
	current, err := c.Kuscia.QueryAppImage(ctx, desired.Name)
	if err != nil {
		return err //nolint:wrapcheck // the client's errors describe the request
	}
	if sameTemplates(desired, current) {
		request.DeployTemplates = nil
	}
	return c.Kuscia.UpdateAppImage(ctx, request) //nolint:wrapcheck // the client's errors describe the request
}

const attrDeployTemplates = "deploy_templates"

// templates are the deploy templates alone, for comparisons.
var templates = sync.OnceValue(func() *definition.Definition {
	for _, a := range imageAttributes() {
		if a.Name == attrDeployTemplates {
			return definition.New(definition.Schema{Attributes: []definition.Attribute{a}})
		}
	}
	panic("no attribute " + attrDeployTemplates)
})

// sameTemplates reports whether two app images have the same deploy templates.
func sameTemplates(a, b *kuscia.AppImage) bool {
	value := func(image *kuscia.AppImage) definition.Value {
		return templates().FromServer(tree{attrDeployTemplates: definition.Each(image.DeployTemplates, treeTemplate)})
	}
	return len(templates().Differences(value(a), value(b))) == 0
}
