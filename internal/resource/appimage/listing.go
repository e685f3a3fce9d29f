package appimage

import (
	"context"
	"errors"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// The filters of the list resource.
const (
	attrNamePrefix = "name_prefix"
	attrNameRegex  = "name_regex"
	attrImageName  = "image_name"
)

// needsList is the list of app images.
var needsList = versions.Need{Feature: versions.AppImageList, Instead: "name the app images one by one, in import blocks or in data.kuscia_app_image"}

// listing declares the data source, which has all app images.
var listing = crud.Listing[kuscia.AppImage]{
	Type: "app_images", Title: "app images", Attribute: "app_images", IDs: "names", Needs: needsList,
	Description:          "All app images of Kuscia, from all pages of the list.",
	AttributeDescription: "The app images in full, sorted by name. For a lookup by name: `{ for i in data.kuscia_app_images.NAME.app_images : i.name => i }`.",
	Find:                 findListed,
	ID:                   func(_ map[string]string, found *kuscia.AppImage) crud.ID { return crud.ID{found.Name} },
}

// filteredListing declares the list resource.
var filteredListing = func() crud.Listing[kuscia.AppImage] {
	filtered := listing
	filtered.QueryDescription = "Finds app images of Kuscia with `terraform query` (Terraform 1.14 or later), to import them in bulk.\n\n" +
		"The list is read page by page, sorted by name, up to the `limit` of the `list` block, whose default in Terraform is 100. " +
		"The KusciaAPI has no filters: the provider applies those set here while it reads the pages, and all of them must match. " +
		"A response has the whole definition of each app image, so `include_resource` and `-generate-config-out` need no further requests."
	filtered.Filters = []crud.Filter{
		{Name: attrNamePrefix, Description: "Only app images whose name begins with this text."},
		{
			Name: attrNameRegex, Problem: nameRegexProblem,
			Description: "Only app images whose name matches this regular expression, in the syntax of Terraform's `regex` function. It may match a part of the name; `^` and `$` anchor it.",
		},
		{Name: attrImageName, Description: "Only app images of this container image, named without its tag as in `image.name`, for example `secretflow/serving-anolis8`."},
	}
	return filtered
}()

// findListed returns the app images that match the filters.
func findListed(ctx context.Context, c *run.Run, values map[string]string, limit int64) ([]kuscia.AppImage, error) {
	desired := filter{namePrefix: values[attrNamePrefix], imageName: values[attrImageName]}
	if text := values[attrNameRegex]; text != "" {
		expression, problem := compileNameRegex(text)
		if problem != "" {
			return nil, errors.New(problem)
		}
		desired.nameRegex = expression
	}
	return find(ctx, c.Kuscia, search{filter: desired, limit: limit})
}
