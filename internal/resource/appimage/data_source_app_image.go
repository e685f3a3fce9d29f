package appimage

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

var _ datasource.DataSourceWithConfigure = (*appImageDataSource)(nil)

// NewDataSource returns the data source kuscia_app_image.
func NewDataSource() datasource.DataSource { return &appImageDataSource{} }

type appImageDataSource struct {
	clients *clients.Clients
}

var dataSourceSchema = sync.OnceValue(func() dsschema.Schema {
	attributes := readOnly(resourceSchema().Attributes)
	attributes["name"] = dsschema.StringAttribute{
		Required:            true,
		Validators:          []validator.String{nameValidator{}},
		MarkdownDescription: "Name of the app image to look up.",
	}
	return dsschema.Schema{
		MarkdownDescription: "One app image of Kuscia, looked up by name. It is an error if there is none. The AppImage API exists since Kuscia v0.13.",
		Attributes:          attributes,
	}
})

// Metadata names the data source.
func (d *appImageDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_app_image"
}

// Schema describes the data source.
func (d *appImageDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataSourceSchema()
}

// Configure takes the provider's clients.
func (d *appImageDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Read looks up the app image.
func (d *appImageDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.clients.Ready(&resp.Diagnostics) {
		return
	}
	name := stringOf(fieldsOf(req.Config.Raw)["name"])
	summary := fmt.Sprintf("Unable to read app image %q", name)
	found, err := d.clients.API.QueryAppImage(ctx, name)
	switch {
	case errors.Is(err, kuscia.ErrNotFound):
		resp.Diagnostics.AddAttributeError(path.Root("name"), summary,
			fmt.Sprintf("Kuscia has no app image %q. Check the name; if a resource of this configuration makes it, refer to that resource instead, or let the data source depend on it.", name))
	case err != nil:
		addError(ctx, d.clients, &resp.Diagnostics, summary, err, apiSince)
	default:
		resp.State.Raw = refreshed(fromWire(found), tftypes.NewValue(stateType, nil))
	}
}

// nameValidator checks the name of an app image.
type nameValidator struct{}

// Description says what is allowed.
func (nameValidator) Description(context.Context) string {
	return fmt.Sprintf("lower-case letters, digits, hyphens and dots, at most %d characters", maxNameLength)
}

// MarkdownDescription says what is allowed.
func (v nameValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known name.
func (nameValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if problem := checkName(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid name", problem)
	}
}
