package crud

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

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
