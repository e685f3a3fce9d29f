package crud

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
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
	// IDs is the attribute with the ids of the objects; "" is ids.
	IDs string
	// Find returns the objects, sorted by id. values are the filters; "" is a
	// filter that is not set. limit is the number of objects that are needed, 0
	// for all; more are ignored.
	Find func(ctx context.Context, c *run.Run, values map[string]string, limit int64) ([]W, error)
	// ID returns the identity of a found object.
	ID func(values map[string]string, found *W) ID
	// Needs is the call, which only some versions of Kuscia have; the zero value is
	// Spec.Needs.
	Needs versions.Need
}

// Filter is a string attribute that selects objects.
type Filter struct {
	Name, Description string
	Required          bool
	// MayBeEmpty allows an empty value, which differs from none.
	MayBeEmpty bool
	// Problem returns what is wrong with a value, or "". May be nil.
	Problem func(value string) string
}

// ids is the attribute with the ids of the found objects.
func (l *Listing[W]) ids() string { return cmp.Or(l.IDs, "ids") }

func (f Filter) validators() []validator.String {
	problem := func(value string) string {
		if value == "" && !f.MayBeEmpty {
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

// filterValues returns the configured filters. An unknown filter is an error.
func filterValues(ctx context.Context, filters []Filter, config valueGetter, diags *diag.Diagnostics) map[string]string {
	values := make(map[string]string, len(filters))
	for _, f := range filters {
		var value types.String
		diags.Append(config.GetAttribute(ctx, path.Root(f.Name), &value)...)
		if value.IsUnknown() {
			diags.AddAttributeError(path.Root(f.Name), "Unknown value", "A list needs filters that are known. Set a value that does not depend on values that are known only after apply.")
		}
		values[f.Name] = value.ValueString()
	}
	return values
}

// find lists the objects and reports errors.
func (o *Object[W]) find(ctx context.Context, c *run.Run, l *Listing[W], config valueGetter, limit int64, diags *diag.Diagnostics) (found []W, values map[string]string) {
	if !o.Server.Ready(c, diags) {
		return nil, nil
	}
	values = filterValues(ctx, l.Filters, config, diags)
	if diags.HasError() {
		return nil, nil
	}
	found, err := l.Find(ctx, c, values, limit)
	if err != nil {
		o.addError(ctx, c, diags, "Unable to list "+l.Title, err, cmp.Or(l.Needs, o.Needs))
		return nil, nil
	}
	return found, values
}

// NewListResource returns the list resource of a listing. Unmanageable objects
// are left out.
func (o *Object[W]) NewListResource(l Listing[W]) func() fwlist.ListResource {
	return NewListResource(List{
		Type: o.Type, Description: withNeeds(l.QueryDescription, cmp.Or(l.Needs, o.Needs)), Filters: l.Filters,
		Find: func(ctx context.Context, c *run.Run, req fwlist.ListRequest, diags *diag.Diagnostics) (found []Found) {
			all, values := o.find(ctx, c, &l, req.Config, req.Limit, diags)
			for i := range all {
				id := l.ID(values, &all[i])
				if o.unmanageable(id, &all[i]) == "" {
					found = append(found, Found{
						DisplayName: id.String(), Identity: o.Identity.values(id),
						SetResource: RawResource(func() definition.Value { return o.Imported(ctx, c, id, &all[i]) }),
					})
				}
			}
			return found
		},
	})
}

// listDataSource is the data source of a listing.
type listDataSource[W any] struct {
	BaseDataSource

	object  *Object[W]
	listing Listing[W]
	shown   *definition.Definition
}

// NewListDataSource returns the data source of a listing.
func (o *Object[W]) NewListDataSource(l Listing[W]) func() datasource.DataSource {
	shown := o.Definition.ForDataSource()
	schema := sync.OnceValue(func() dsschema.Schema {
		attributes := map[string]dsschema.Attribute{
			l.ids(): dsschema.ListAttribute{
				CustomType: types.ListType{ElemType: types.StringType}, ElementType: types.StringType, Computed: true,
				MarkdownDescription: fmt.Sprintf("The `%s` of each, sorted: for `contains(…)` and `for_each = toset(…)`.", o.Identity.last()),
			},
			l.Attribute: shown.DataSourceList(l.AttributeDescription),
		}
		for _, f := range l.Filters {
			attributes[f.Name] = dsschema.StringAttribute{Required: f.Required, Optional: !f.Required, Validators: f.validators(), MarkdownDescription: f.Description}
		}
		return dsschema.Schema{MarkdownDescription: withNeeds(l.Description, cmp.Or(l.Needs, o.Needs)), Attributes: attributes}
	})
	return func() datasource.DataSource {
		return &listDataSource[W]{BaseDataSource: NewBaseDataSource(l.Type, schema), object: o, listing: l, shown: shown}
	}
}

// Read lists the objects.
func (d *listDataSource[W]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	found, values := d.object.find(ctx, d.Run, &d.listing, req.Config, 0, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ids, objects := make([]tftypes.Value, len(found)), make([]tftypes.Value, len(found))
	for i := range found {
		id := d.listing.ID(values, &found[i])
		ids[i] = definition.StringValue(id[len(id)-1])
		objects[i] = d.object.Shown(d.shown, id, &found[i])
	}
	fields := map[string]tftypes.Value{
		d.listing.ids():     tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, ids),
		d.listing.Attribute: tftypes.NewValue(tftypes.List{ElementType: d.shown.Type()}, objects),
	}
	for _, f := range d.listing.Filters {
		fields[f.Name] = definition.At(req.Config.Raw, f.Name)
	}
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), fields)
}

// List declares a list resource: how to find objects for `terraform query`.
type List struct {
	// Type is the resource type without the provider's name.
	Type string
	// Description is Markdown; Filters are the attributes of the config block.
	Description string
	Filters     []Filter
	// Find returns at most Limit objects of the request (0: no limit). If it
	// adds an error, no results are shown.
	Find func(ctx context.Context, c *run.Run, req fwlist.ListRequest, diags *diag.Diagnostics) []Found
}

// Found is an object that a list has found.
type Found struct {
	DisplayName string
	Identity    map[string]string
	// SetResource sets the state of an import. It is called only if the request
	// includes the resource.
	SetResource func(ctx context.Context, to *tfsdk.Resource) diag.Diagnostics
}

// RawResource returns a Found.SetResource for a value.
func RawResource(state func() definition.Value) func(context.Context, *tfsdk.Resource) diag.Diagnostics {
	return func(_ context.Context, to *tfsdk.Resource) diag.Diagnostics {
		to.Raw = state()
		return nil
	}
}

// listResource is the list resource of a List.
type listResource struct {
	list List
	run  *run.Run
}

var _ fwlist.ListResourceWithConfigure = (*listResource)(nil)

// NewListResource returns the list resource.
func NewListResource(list List) func() fwlist.ListResource {
	return func() fwlist.ListResource { return &listResource{list: list} }
}

// Metadata returns the type name, which is that of the listed resource.
func (l *listResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.list.Type
}

// ListResourceConfigSchema describes the config block.
func (l *listResource) ListResourceConfigSchema(_ context.Context, _ fwlist.ListResourceSchemaRequest, resp *fwlist.ListResourceSchemaResponse) {
	filters := map[string]listschema.Attribute{}
	for _, f := range l.list.Filters {
		filters[f.Name] = listschema.StringAttribute{Required: f.Required, Optional: !f.Required, Validators: f.validators(), MarkdownDescription: f.Description}
	}
	resp.Schema = listschema.Schema{MarkdownDescription: l.list.Description, Attributes: filters}
}

// Configure sets the run.
func (l *listResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List finds the objects. Without a value that is not known it would find too many.
func (l *listResource) List(ctx context.Context, req fwlist.ListRequest, stream *fwlist.ListResultsStream) {
	var diags diag.Diagnostics
	req.Limit = max(req.Limit, 0)
	filterValues(ctx, l.list.Filters, req.Config, &diags)
	var found []Found
	if !diags.HasError() {
		found = l.list.Find(ctx, l.run, req, &diags)
	}
	if diags.HasError() {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	if req.Limit > 0 && int64(len(found)) > req.Limit {
		found = found[:req.Limit]
	}
	stream.Results = func(push func(fwlist.ListResult) bool) {
		if len(diags) > 0 && !push(fwlist.ListResult{Diagnostics: diags}) {
			return
		}
		for _, f := range found {
			result := req.NewListResult(ctx)
			result.DisplayName = f.DisplayName
			result.Diagnostics.Append(SaveIdentity(ctx, result.Identity, f.Identity)...)
			if req.IncludeResource {
				result.Diagnostics.Append(f.SetResource(ctx, result.Resource)...)
			}
			if !push(result) {
				return
			}
		}
	}
}

// BulkRead derives a BulkRead from a listing by domain. The domain id must be
// the first part of the identity and the only required filter.
func (l *Listing[W]) BulkRead() *BulkRead[W] {
	values := func(group string) map[string]string { return map[string]string{l.Filters[0].Name: group} }
	return &BulkRead[W]{
		Group: func(id ID) string { return id[0] },
		Find: func(ctx context.Context, c *run.Run, group string) ([]W, error) {
			return l.Find(ctx, c, values(group), 0)
		},
		ID: func(group string, found *W) ID { return l.ID(values(group), found) },
	}
}

// DataSource is the data source for one object, looked up by its identity.
type DataSource[W any] struct {
	BaseDataSource

	object *Object[W]
	shown  *definition.Definition
}

// NewDataSource returns the data source. description is Markdown. FromWire sets
// the attributes of Schema.DataSource too.
func (o *Object[W]) NewDataSource(description string) func() datasource.DataSource {
	shown := o.Definition.ForDataSource()
	schema := sync.OnceValue(func() dsschema.Schema {
		return dsschema.Schema{MarkdownDescription: withNeeds(description, o.Needs), Attributes: shown.DataSourceAttributes(lookupAttributes(o.Identity.Attributes))}
	})
	return func() datasource.DataSource {
		return &DataSource[W]{BaseDataSource: NewBaseDataSource(o.Type, schema), object: o, shown: shown}
	}
}

// Read reads the object.
func (d *DataSource[W]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.object.Server.Ready(d.Run, &resp.Diagnostics) {
		return
	}
	o := d.object
	id, _ := o.Identity.of(req.Config.Raw)
	found, err := o.steps.API(d.Run, o.onlyID(id)).Query(ctx, id)
	switch {
	case o.Server.Errors.NotFound(err):
		why := explanation(err)
		if why != "" {
			why = "\n\n" + why
		}
		resp.Diagnostics.AddAttributeError(o.Identity.lastPath(), message.Capitalize(o.Title)+" does not exist",
			fmt.Sprintf("%s has no %s. Check %s; if a resource of this configuration creates it, refer to that resource instead, or let the data source depend on it.%s", message.Capitalize(o.Server.Name), o.named(id), o.Identity.sentence(), why))
	case err != nil:
		o.fail(ctx, d.Run, &resp.Diagnostics, "Unable to read "+o.Title, err)
	default:
		resp.State.Raw = o.Shown(d.shown, id, found)
	}
}

// Shown converts an object to the value of a data source.
func (o *Object[W]) Shown(shown *definition.Definition, id ID, wire *W) definition.Value {
	return shown.Refreshed(shown.Encode(o.tree(id, wire, definition.Value{})), shown.Null())
}

// lookupAttributes are the attributes by which a data source looks an object up.
func lookupAttributes(identity []IdentityAttribute) map[string]dsschema.Attribute {
	attributes := map[string]dsschema.Attribute{}
	for _, a := range identity {
		lookedUp := a
		if a.LookupProblem != nil {
			lookedUp.Problem = a.LookupProblem
		}
		attributes[a.Name] = dsschema.StringAttribute{
			Required: true, Validators: []validator.String{problemValidator{lookedUp}},
			MarkdownDescription: a.Description,
		}
	}
	return attributes
}
