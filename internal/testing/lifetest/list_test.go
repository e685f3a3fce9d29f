package lifetest_test

import (
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// testList: a list has the object, with what an import reads, also with a filter for a value
// of it, and no more than its limit.
func (o *object) testList() {
	schema := schemas.ListResourceSchemas[o.typeName]
	if schema == nil {
		o.t.Skip("there is none")
	}
	if o.lists != nil {
		l := o.life
		l.servers = o.lists
		o = newObject(o.t, o.typeName, l)
	}
	state := o.settle(o.create(o.full(o.variantsOf(o.name)[o.cli])))
	imported := o.elsewhere(state)
	required := with(attrs{}, o.lookup)
	for _, filter := range schema.Block.Attributes {
		if filter.Required || filter.Name == "instance_id" {
			required[filter.Name] = imported.Text(filter.Name)
		}
	}
	list := func(filters attrs, limit int64) []tfprotov6.ListResourceResult {
		results, diagnostics := o.run().List(o.t.Context(), o.t, protocol.Query{Config: filters, Limit: limit, IncludeResource: true})
		o.fine("list", diagnostics)
		return results
	}
	if found := list(required, 1); len(found) != 1 {
		o.t.Errorf("%d results for a limit of 1", len(found))
	}
	o.expectListed("without a filter", imported, list(required, 0), "")
	for _, filter := range schema.Block.Attributes {
		value, ok := protocol.Fields(imported.Value)[filter.Name]
		if ok && value.Type().Is(tftypes.String) && imported.Text(filter.Name) != "" {
			o.expectListed("the filter "+filter.Name, imported, list(with(required, attrs{filter.Name: value}), 0), filter.Name)
		}
	}
	o.destroy(state)
}

// expectListed checks that an object is in a list as it is imported, and that all results
// have its value of an attribute, if any.
func (o *object) expectListed(what string, imported protocol.State, results []tfprotov6.ListResourceResult, attribute string) {
	o.t.Helper()
	r, found := o.run(), false
	identity := r.Identity(o.t, imported.Identity)
	for _, result := range results {
		listed := protocol.Decode(r.Kind, result.Resource)
		if attribute != "" && !protocol.Fields(listed)[attribute].Equal(protocol.Fields(imported.Value)[attribute]) {
			o.t.Errorf("%s finds %s", what, listed)
		}
		if !reflect.DeepEqual(r.Identity(o.t, result.Identity), identity) {
			continue
		}
		found = true
		if at := differsIn("", protocol.Plain(listed), protocol.Plain(imported.Value)); at != "" || result.DisplayName == "" {
			o.t.Errorf("%s: listed as %q with another %s\n%s\nimported\n%s", what, result.DisplayName, at, listed, imported.Value)
		}
	}
	if !found {
		o.t.Errorf("%s: %v is not listed", what, identity)
	}
}
