package provider

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestEffects: each resource tells what a change of each of its attributes does, and of no
// other.
func TestEffects(t *testing.T) {
	t.Parallel()
	effects := Effects(t.Context())
	replaced := func(e definition.Effect) bool { return e.Result == definition.EffectReplaced }
	if !slices.ContainsFunc(effects["kuscia_config"], replaced) {
		t.Errorf("no change replaces an entry: %v", effects["kuscia_config"])
	}
	for _, factory := range collect(func(t crud.Types) []func() resource.Resource { return t.Resources }) {
		made := factory()
		var metadata resource.MetadataResponse
		made.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: typeName}, &metadata)
		var schema resource.SchemaResponse
		made.Schema(t.Context(), resource.SchemaRequest{}, &schema)
		shape := schema.Schema.Type().TerraformType(t.Context())

		missing := map[string]bool{}
		for name, attribute := range schema.Schema.Attributes {
			missing[name] = attribute.IsRequired() || attribute.IsOptional()
		}
		for _, effect := range effects[metadata.TypeName] {
			if effect.Attributes == nil {
				clear(missing)
			}
			for _, name := range effect.Attributes {
				if !has(shape, name) {
					t.Errorf("%s has no attribute %s", metadata.TypeName, name)
				}
				root, _, _ := strings.Cut(name, ".")
				delete(missing, root)
			}
		}
		maps.DeleteFunc(missing, func(_ string, configurable bool) bool { return !configurable })
		if len(missing) > 0 {
			t.Errorf("%s does not tell what a change does of %v", metadata.TypeName, slices.Sorted(maps.Keys(missing)))
		}
	}
}

// has reports whether an object has an attribute, whose name has those of the objects
// around it.
func has(object tftypes.Type, name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		switch outer := object.(type) {
		case tftypes.Map:
			object = outer.ElementType
		case tftypes.List:
			object = outer.ElementType
		}
		inner, ok := object.(tftypes.Object)
		if !ok || inner.AttributeTypes[part] == nil {
			return false
		}
		object = inner.AttributeTypes[part]
	}
	return true
}
