package protocol

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Proposed is the proposed new state of a CLI: the configuration without
// write-only values, with the prior values of computed attributes that are not
// configured.
func Proposed(attributes []*tfprotov6.SchemaAttribute, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() || !config.IsKnown() {
		return config
	}
	before, given := Fields(prior), Fields(config)
	values := make(map[string]tftypes.Value, len(given))
	for name, value := range given {
		values[name] = value // blocks too
	}
	for _, attribute := range attributes {
		old, found := before[attribute.Name]
		if !found {
			old = tftypes.NewValue(attribute.ValueType(), nil)
		}
		value := given[attribute.Name]
		switch {
		case attribute.WriteOnly:
			value = tftypes.NewValue(attribute.ValueType(), nil)
		case value.IsNull() && attribute.Computed:
			value = old
		case attribute.NestedType != nil:
			value = proposedNested(attribute.NestedType, old, value)
		}
		values[attribute.Name] = value
	}
	return tftypes.NewValue(config.Type(), values)
}

func proposedNested(of *tfprotov6.SchemaObject, prior, config tftypes.Value) tftypes.Value {
	switch {
	case config.IsNull() || !config.IsKnown():
		return config
	case of.Nesting == tfprotov6.SchemaObjectNestingModeSingle:
		return Proposed(of.Attributes, prior, config)
	case of.Nesting == tfprotov6.SchemaObjectNestingModeMap:
		before, values := Fields(prior), map[string]tftypes.Value{}
		for key, element := range Fields(config) {
			old, found := before[key]
			if !found {
				old = tftypes.NewValue(element.Type(), nil)
			}
			values[key] = Proposed(of.Attributes, old, element)
		}
		return tftypes.NewValue(config.Type(), values)
	case of.Nesting != tfprotov6.SchemaObjectNestingModeList:
		panic("only lists, maps and single objects are nested in this provider")
	}
	before := Elements(prior)
	values := []tftypes.Value{}
	for i, element := range Elements(config) {
		old := tftypes.NewValue(element.Type(), nil)
		if i < len(before) {
			old = before[i]
		}
		values = append(values, Proposed(of.Attributes, old, element))
	}
	return tftypes.NewValue(config.Type(), values)
}
