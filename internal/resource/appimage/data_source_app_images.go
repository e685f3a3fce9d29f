package appimage

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

var _ datasource.DataSourceWithConfigure = (*appImagesDataSource)(nil)

// NewListDataSource returns the data source kuscia_app_images.
func NewListDataSource() datasource.DataSource { return &appImagesDataSource{} }

type appImagesDataSource struct {
	clients *clients.Clients
}

// appImages are the attributes of an app image in the data source.
var appImages = appImage.Definition.ForDataSource()

var listDataSourceSchema = sync.OnceValue(func() dsschema.Schema {
	return dsschema.Schema{
		MarkdownDescription: "All app images of Kuscia, from all pages of the list. This needs Kuscia v1.0 or later.",
		Attributes: map[string]dsschema.Attribute{
			"names": dsschema.ListAttribute{
				CustomType: types.ListType{ElemType: types.StringType}, ElementType: types.StringType,
				Computed:            true,
				MarkdownDescription: "Names of the app images, sorted: for `contains(…)` and `for_each = toset(…)`.",
			},
			"app_images": appImages.DataSourceList("The app images in full, sorted by name. For a lookup by name: `{ for i in data.kuscia_app_images.NAME.app_images : i.name => i }`."),
		},
	}
})

// Metadata sets the type name.
func (d *appImagesDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_app_images"
}

// Schema returns the schema.
func (d *appImagesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = listDataSourceSchema()
}

// Configure sets the provider's clients.
func (d *appImagesDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Read reads all pages.
func (d *appImagesDataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.clients.Ready(&resp.Diagnostics) {
		return
	}
	images, err := find(ctx, d.clients.API, everything)
	if err != nil {
		addListError(ctx, d.clients, &resp.Diagnostics, err)
		return
	}
	names, trees := make([]tftypes.Value, len(images)), make([]tftypes.Value, len(images))
	for i := range images {
		names[i] = tftypes.NewValue(tftypes.String, images[i].Name)
		trees[i] = appImage.Shown(appImages, crud.ID{images[i].Name}, &images[i])
	}
	fields := map[string]tftypes.Value{
		"names":      tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, names),
		"app_images": tftypes.NewValue(tftypes.List{ElementType: appImages.Type()}, trees),
	}
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), fields)
}
