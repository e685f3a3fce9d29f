package crud

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// DataSource is the data source for one object, looked up by its identity.
type DataSource[W any] struct {
	object  *Object[W]
	shown   *definition.Definition
	schema  dsschema.Schema
	clients *clients.Clients
}

// NewDataSource returns the data source. description is Markdown. more are
// computed attributes in addition to those of the resource; FromWire sets them
// too.
func (o *Object[W]) NewDataSource(description string, more ...definition.Attribute) func() datasource.DataSource {
	shown := o.Definition.ForDataSource(more...)
	schema := dsschema.Schema{MarkdownDescription: description, Attributes: shown.DataSourceAttributes(o.schemas.lookup)}
	return func() datasource.DataSource { return &DataSource[W]{object: o, shown: shown, schema: schema} }
}

// Metadata names the data source.
func (d *DataSource[W]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.object.Type
}

// Schema describes the data source.
func (d *DataSource[W]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.schema
}

// Configure takes the provider's clients.
func (d *DataSource[W]) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Read reads the object.
func (d *DataSource[W]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.object.Server.Ready(d.clients, &resp.Diagnostics) {
		return
	}
	o := d.object
	id, _ := o.idOf(req.Config.Raw)
	summary := "Unable to read " + o.named(id)
	found, err := o.API(d.clients).Query(ctx, id)
	switch {
	case o.Server.Errors.NotFound(err):
		why := explanation(err)
		if why != "" {
			why = "\n\n" + why
		}
		resp.Diagnostics.AddAttributeError(o.rootPath(), summary,
			fmt.Sprintf("%s has no %s. Check the %s; if a resource of this configuration creates it, refer to that resource instead, or let the data source depend on it.%s", o.Server.Name, o.named(id), o.rootAttribute(), why))
	case err != nil:
		o.fail(ctx, d.clients, &resp.Diagnostics, summary, err)
	default:
		resp.State.Raw = o.Shown(d.shown, id, found)
	}
}

// Shown converts an object to the value of a data source.
func (o *Object[W]) Shown(shown *definition.Definition, id ID, wire *W) definition.Value {
	return shown.Refreshed(shown.Encode(o.tree(id, wire)), shown.Null())
}
