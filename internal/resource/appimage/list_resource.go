package appimage

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// listConfig is the config block of a list block.
type listConfig struct {
	NamePrefix types.String `tfsdk:"name_prefix"`
	NameRegex  types.String `tfsdk:"name_regex"`
	ImageName  types.String `tfsdk:"image_name"`
}

// notEmpty rejects a filter that has no effect.
var notEmpty = []validator.String{stringvalidator.LengthAtLeast(1)}

var listed = appImage.NewListResource(crud.List[kuscia.AppImage]{
	Description: "Finds app images of Kuscia with `terraform query` (Terraform 1.14 or later), to import them in bulk. " +
		"This needs Kuscia v1.0 or later.\n\n" +
		"The list is read page by page, sorted by name, up to the `limit` of the `list` block, whose default in Terraform is 100. " +
		"The KusciaAPI has no filters: the provider applies those set here while it reads the pages, and all of them must match. " +
		"A response has the whole definition of each app image, so `include_resource` and `-generate-config-out` need no further requests.",
	Filters: map[string]listschema.Attribute{
		"name_prefix": listschema.StringAttribute{
			Optional: true, Validators: notEmpty,
			MarkdownDescription: "Only app images whose name begins with this text.",
		},
		"name_regex": listschema.StringAttribute{
			Optional: true, Validators: []validator.String{stringvalidator.LengthAtLeast(1), regexValidator{}},
			MarkdownDescription: "Only app images whose name matches this regular expression, in the syntax of Terraform's `regex` function. It may match a part of the name; `^` and `$` anchor it.",
		},
		"image_name": listschema.StringAttribute{
			Optional: true, Validators: notEmpty,
			MarkdownDescription: "Only app images of this container image, named without its tag as in `image.name`, for example `secretflow/serving-anolis8`.",
		},
	},
	Find: findListed,
	ID:   func(_ tfsdk.Config, found *kuscia.AppImage) crud.ID { return crud.ID{found.Name} },
})

// findListed returns the app images for a list block.
func findListed(ctx context.Context, c *clients.Clients, block tfsdk.Config, limit int64, diags *diag.Diagnostics) []kuscia.AppImage {
	var config listConfig
	diags.Append(block.Get(ctx, &config)...)
	if diags.HasError() {
		return nil
	}
	desired := config.filter(diags)
	if diags.HasError() {
		return nil
	}
	images, err := find(ctx, c.API, search{filter: desired, limit: limit})
	if err != nil {
		addListError(ctx, c, diags, err)
	}
	return images
}

// addListError adds the error of a failed list.
func addListError(ctx context.Context, c *clients.Clients, diags *diag.Diagnostics, err error) {
	const summary = "Unable to list app images"
	if !c.AddUnsupported(ctx, diags, summary, err, listSince) {
		clients.AddError(diags, summary, err)
	}
}

// filter returns the filter of the config block. It requires known values,
// which Terraform guarantees before it lists.
func (c listConfig) filter(diags *diag.Diagnostics) filter {
	for name, value := range map[string]types.String{"name_prefix": c.NamePrefix, "name_regex": c.NameRegex, "image_name": c.ImageName} {
		if value.IsUnknown() {
			diags.AddAttributeError(path.Root(name), "Value not known", "App images can be listed only when every filter is known. Set a value that does not depend on values that are known only after apply.")
		}
	}
	desired := filter{namePrefix: c.NamePrefix.ValueString(), imageName: c.ImageName.ValueString()}
	if text := c.NameRegex.ValueString(); text != "" {
		expression, problem := compileNameRegex(text)
		if problem != "" {
			diags.AddAttributeError(path.Root("name_regex"), "Invalid regular expression in name_regex", problem)
		}
		desired.nameRegex = expression
	}
	return desired
}

// regexValidator validates a regular expression.
type regexValidator struct{}

// Description describes the valid values.
func (regexValidator) Description(context.Context) string { return "a regular expression" }

// MarkdownDescription describes the valid values.
func (v regexValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString validates a known expression.
func (regexValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, problem := compileNameRegex(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid regular expression in name_regex", problem)
	}
}
