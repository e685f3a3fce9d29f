package crud

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Listing declares how one call finds the objects that match filters, for a
// data source that lists them and for `terraform query`.
type Listing[W any] struct {
	// Type is the data source type without the provider's name
	// ("domain_data_list"); Attribute is its attribute with the objects.
	Type, Attribute string
	// Title names the objects in messages, in the plural: "data sources".
	Title string
	// Description is the Markdown of the data source, AttributeDescription that
	// of the attribute, QueryDescription that of the list resource.
	Description, AttributeDescription, QueryDescription string
	Filters                                             []Filter
	// More are computed attributes of each object in the data source, in
	// addition to those of the resource.
	More []definition.Attribute
	// Find returns the objects, sorted by id. values are the filters; "" is a
	// filter that is not set.
	Find func(ctx context.Context, c *clients.Clients, values map[string]string) ([]W, error)
	// ID returns the identity of a found object.
	ID func(values map[string]string, found *W) ID
}

// Filter is a string attribute that selects objects.
type Filter struct {
	Name, Description string
	Required          bool
	// Problem returns what is wrong with a value, or "". May be nil.
	Problem func(value string) string
}

// attrIDs is the attribute with the ids of the found objects.
const attrIDs = "ids"

func (f Filter) validators() []validator.String {
	problem := func(value string) string {
		if value == "" {
			return f.Name + " is empty. Omit it, or set a value."
		}
		return (IdentityAttribute{Problem: f.Problem}).problem(value)
	}
	return []validator.String{problemValidator{IdentityAttribute{Name: f.Name, Description: f.Description, Problem: problem}}}
}

// valueGetter is the configuration of a data source or a list block.
type valueGetter interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diag.Diagnostics
}

// values returns the configured filters. An unknown filter is an error.
func (l *Listing[W]) values(ctx context.Context, config valueGetter, diags *diag.Diagnostics) map[string]string {
	values := make(map[string]string, len(l.Filters))
	for _, f := range l.Filters {
		var value types.String
		diags.Append(config.GetAttribute(ctx, path.Root(f.Name), &value)...)
		if value.IsUnknown() {
			diags.AddAttributeError(path.Root(f.Name), "Value not known", "A list needs filters that are known. Set a value that does not depend on values that are known only after apply.")
		}
		values[f.Name] = value.ValueString()
	}
	return values
}

// find lists the objects and reports errors.
func (o *Object[W]) find(ctx context.Context, c *clients.Clients, l *Listing[W], config valueGetter, diags *diag.Diagnostics) (found []W, values map[string]string) {
	values = l.values(ctx, config, diags)
	if diags.HasError() {
		return nil, nil
	}
	found, err := l.Find(ctx, c, values)
	if err != nil {
		o.fail(ctx, c, diags, "Unable to list "+l.Title, err)
	}
	return found, values
}

// NewListResourceOf returns the list resource of a listing. Unmanageable
// objects are left out.
func (o *Object[W]) NewListResourceOf(l Listing[W]) func() fwlist.ListResource {
	filters := map[string]listschema.Attribute{}
	for _, f := range l.Filters {
		filters[f.Name] = listschema.StringAttribute{Required: f.Required, Optional: !f.Required, Validators: f.validators(), MarkdownDescription: f.Description}
	}
	configured := func(config tfsdk.Config) map[string]string {
		var unused diag.Diagnostics
		return l.values(context.Background(), config, &unused)
	}
	return o.NewListResource(List[W]{
		Description: l.QueryDescription,
		Filters:     filters,
		Find: func(ctx context.Context, c *clients.Clients, config tfsdk.Config, limit int64, diags *diag.Diagnostics) []W {
			all, values := o.find(ctx, c, &l, config, diags)
			var found []W
			for i := range all {
				if limit > 0 && int64(len(found)) == limit {
					break
				}
				if o.unmanageable(l.ID(values, &all[i]), &all[i]) == "" {
					found = append(found, all[i])
				}
			}
			return found
		},
		ID: func(config tfsdk.Config, found *W) ID { return l.ID(configured(config), found) },
	})
}

// listDataSource is the data source of a listing.
type listDataSource[W any] struct {
	object  *Object[W]
	listing Listing[W]
	shown   *definition.Definition
	schema  dsschema.Schema
	clients *clients.Clients
}

// NewListDataSource returns the data source of a listing.
func (o *Object[W]) NewListDataSource(l Listing[W]) func() datasource.DataSource {
	shown := o.Definition.ForDataSource(l.More...)
	attributes := map[string]dsschema.Attribute{
		attrIDs: dsschema.ListAttribute{
			CustomType: types.ListType{ElemType: types.StringType}, ElementType: types.StringType, Computed: true,
			MarkdownDescription: fmt.Sprintf("The `%s` of each, sorted.", o.rootAttribute()),
		},
		l.Attribute: shown.DataSourceList(l.AttributeDescription),
	}
	for _, f := range l.Filters {
		attributes[f.Name] = dsschema.StringAttribute{Required: f.Required, Optional: !f.Required, Validators: f.validators(), MarkdownDescription: f.Description}
	}
	schema := dsschema.Schema{MarkdownDescription: l.Description, Attributes: attributes}
	return func() datasource.DataSource {
		return &listDataSource[W]{object: o, listing: l, shown: shown, schema: schema}
	}
}

// Metadata names the data source.
func (d *listDataSource[W]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.listing.Type
}

// Schema describes the data source.
func (d *listDataSource[W]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.schema
}

// Configure takes the provider's clients.
func (d *listDataSource[W]) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Read lists the objects.
func (d *listDataSource[W]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.object.Server.Ready(d.clients, &resp.Diagnostics) {
		return
	}
	found, values := d.object.find(ctx, d.clients, &d.listing, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ids, objects := make([]tftypes.Value, len(found)), make([]tftypes.Value, len(found))
	for i := range found {
		id := d.listing.ID(values, &found[i])
		ids[i] = definition.TextValue(id[len(id)-1])
		objects[i] = d.object.Shown(d.shown, id, &found[i])
	}
	fields := map[string]tftypes.Value{
		attrIDs:             tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, ids),
		d.listing.Attribute: tftypes.NewValue(tftypes.List{ElementType: d.shown.Type()}, objects),
	}
	for _, f := range d.listing.Filters {
		fields[f.Name] = definition.FieldsOf(req.Config.Raw)[f.Name]
	}
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), fields)
}
