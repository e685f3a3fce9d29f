package appimage

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// appImage defines kuscia_app_image.
var appImage = crud.New(crud.Spec[kuscia.AppImage]{
	Type: "app_image", Title: "app image",
	Schema: imageSchema(),
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{{Name: "name", Description: "Name of the app image.", Problem: checkName}},
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: "deploy_templates", ID: []string{"name"}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "AppImage"},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	API: calls, CustomResource: customResource,
	Needs:  versions.Need{Feature: versions.AppImageAPI, Instead: "create the app image with kubectl and refer to it by name"},
	Checks: crud.Checks[kuscia.AppImage]{Object: checkImage},
	Writes: crud.Writes[kuscia.AppImage]{Done: afterWrite},
	Deletion: crud.Deletion{UsedBy: &crud.UsedBy{
		Find: func(ctx context.Context, c *run.Run, id crud.ID) []run.User {
			return c.ServingsOf(ctx, func(p kube.KusciaDeploymentParty) bool { return p.AppImageRef == id[0] })
		},
		Without: "Kuscia deletes an app image that is in use: the pods keep running, but Kuscia can no longer return or update a serving without its app image (error code 11601).",
	}},
	Planned: recordPlanned,
})

var (
	lookup = appImage.NewDataSource("One app image of Kuscia, looked up by name. The plan fails if it does not exist.")
	all    = appImage.NewListDataSource(listing)
	listed = appImage.NewListResource(filteredListing)
)

// calls are the API calls for app images.
func calls(c *run.Run) crud.API[kuscia.AppImage] {
	return crud.API[kuscia.AppImage]{
		Create: c.Kuscia.CreateAppImage,
		Query: func(ctx context.Context, id crud.ID) (*kuscia.AppImage, error) {
			found, err := c.Kuscia.QueryAppImage(ctx, id[0])
			if err == nil {
				// Servings of the same run can use the cached response.
				c.AppImages.Store(id[0], found)
			}
			return found, err
		},
		Update: func(ctx context.Context, desired, before *kuscia.AppImage) error {
			return c.Kuscia.UpdateAppImage(ctx, updateRequest(desired, before))
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.Kuscia.DeleteAppImage(ctx, id[0]) },
	}
}

// afterWrite updates the cached app image for the servings of this run, and keeps
// the previous one, which their pods still run.
func afterWrite(c *run.Run, id crud.ID, before *kuscia.AppImage) {
	c.AppImages.Forget(id[0])
	if before != nil {
		c.AppImages.RecordPrior(before)
	}
}

// recordPlanned notes the planned app image for the servings of the same plan, or
// that parts of it are not known yet.
func recordPlanned(c *run.Run, id crud.ID, image *kuscia.AppImage, unknown []path.Path) {
	ofImage := func(at path.Path) bool {
		return at.Equal(path.Root("image")) || at.Equal(path.Root("image").AtName("name")) || at.Equal(path.Root("image").AtName("tag"))
	}
	switch {
	case c.AppImages == nil:
	case slices.ContainsFunc(unknown, ofImage):
		c.AppImages.RecordPlannedUnknown(id[0], nil)
	case len(unknown) > 0:
		c.AppImages.RecordPlannedUnknown(id[0], &image.Image)
	default:
		c.AppImages.RecordPlanned(image)
	}
}
