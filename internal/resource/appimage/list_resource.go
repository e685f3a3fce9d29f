package appimage

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

var _ fwlist.ListResourceWithConfigure = (*appImageList)(nil)

// NewListResource returns the list resource kuscia_app_image, for `terraform
// query`.
func NewListResource() fwlist.ListResource { return &appImageList{} }

type appImageList struct {
	clients *clients.Clients
}

// listConfig is the config block of a list block.
type listConfig struct {
	NamePrefix types.String `tfsdk:"name_prefix"`
	NameRegex  types.String `tfsdk:"name_regex"`
	ImageName  types.String `tfsdk:"image_name"`
}

var listResourceSchema = sync.OnceValue(func() listschema.Schema {
	notEmpty := []validator.String{stringvalidator.LengthAtLeast(1)}
	return listschema.Schema{
		MarkdownDescription: "Finds app images of Kuscia with `terraform query` (Terraform 1.14 or later), to import them in bulk. " +
			"Kuscia can list app images since v1.0.\n\n" +
			"The list comes page by page, sorted by name, and ends at the `limit` of the `list` block, of which Terraform's default is 100. " +
			"KusciaAPI has no filters: the provider applies those given here while it reads the pages, and all of them have to match. " +
			"An answer has the whole definition of each app image, so that `include_resource` and `-generate-config-out` cost no further requests.",
		Attributes: map[string]listschema.Attribute{
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
	}
})

// Metadata names the list resource like the resource that it lists.
func (l *appImageList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_app_image"
}

// ListResourceConfigSchema describes the config block.
func (l *appImageList) ListResourceConfigSchema(_ context.Context, _ fwlist.ListResourceSchemaRequest, resp *fwlist.ListResourceSchemaResponse) {
	resp.Schema = listResourceSchema()
}

// Configure takes the provider's clients.
func (l *appImageList) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List finds the app images. Nothing is shown of a list that fails half way.
func (l *appImageList) List(ctx context.Context, req fwlist.ListRequest, stream *fwlist.ListResultsStream) {
	var diags diag.Diagnostics
	var config listConfig
	diags.Append(req.Config.Get(ctx, &config)...)
	if diags.HasError() {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	wanted := config.filter(&diags)
	if diags.HasError() || !l.clients.Ready(&diags) {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	images, err := find(ctx, l.clients.API, search{filter: wanted, limit: max(req.Limit, 0)})
	if err != nil {
		addError(ctx, l.clients, &diags, "Unable to list app images", err, listSince)
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(fwlist.ListResult) bool) {
		for i := range images {
			if !push(listed(ctx, req, &images[i])) {
				return
			}
		}
	}
}

// listed is what Terraform gets of one app image: its identity and, if asked
// for, the state that an import would have.
func listed(ctx context.Context, req fwlist.ListRequest, image *kuscia.AppImage) fwlist.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = image.Name
	result.Diagnostics.Append(saveIdentity(ctx, result.Identity, image.Name)...)
	if req.IncludeResource {
		result.Resource.Raw = refreshed(fromWire(image), tftypes.NewValue(stateType, nil))
	}
	return result
}

// filter checks that every value is known; Terraform sees to it before it lists.
func (c listConfig) filter(diags *diag.Diagnostics) filter {
	for name, value := range map[string]types.String{"name_prefix": c.NamePrefix, "name_regex": c.NameRegex, "image_name": c.ImageName} {
		if value.IsUnknown() {
			diags.AddAttributeError(path.Root(name), "Value not known", "App images can be listed only when every filter is known. Give it a value that does not depend on something that is known after apply.")
		}
	}
	wanted := filter{namePrefix: c.NamePrefix.ValueString(), imageName: c.ImageName.ValueString()}
	if text := c.NameRegex.ValueString(); text != "" {
		expression, problem := compileNameRegex(text)
		if problem != "" {
			diags.AddAttributeError(path.Root("name_regex"), "Invalid regular expression in name_regex", problem)
		}
		wanted.nameRegex = expression
	}
	return wanted
}

// regexValidator checks a regular expression.
type regexValidator struct{}

// Description says what is allowed.
func (regexValidator) Description(context.Context) string { return "a regular expression" }

// MarkdownDescription says what is allowed.
func (v regexValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known expression.
func (regexValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, problem := compileNameRegex(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid regular expression in name_regex", problem)
	}
}
