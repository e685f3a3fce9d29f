package definitiontest

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Mixed takes a few parts of a configuration from another one, so that the two differ as
// before and after a usual edit.
func Mixed(t *rapid.T, of *definition.Definition, config, other definition.Value) definition.Value {
	return mixer{t}.object(of.Attributes(), config, other)
}

type mixer struct{ t *rapid.T }

// takes is true for one part in eight: of numbers, rapid draws some more often than others.
func (m mixer) takes() bool {
	for range 3 {
		if !rapid.Bool().Draw(m.t, "take") {
			return false
		}
	}
	return true
}

func (m mixer) object(rows []definition.Attribute, object, other definition.Value) definition.Value {
	fields, others := maps.Clone(definition.FieldsOf(object)), definition.FieldsOf(other)
	for _, row := range sorted(rows) {
		names := []string{row.Name}
		if row.WriteOnly {
			names = append(names, row.Name+suffixWO, row.Name+suffixVersion)
		}
		switch {
		case row.Presence == definition.Computed || isWriteOnly(rows, row.Name):
		case m.takes():
			for _, name := range names {
				fields[name] = others[name]
			}
		default:
			fields[row.Name] = m.within(row, fields[row.Name], others[row.Name])
		}
	}
	return tftypes.NewValue(object.Type(), fields)
}

// within takes parts of a nested value. An element of a map gets them from the one with the
// same key, or else from any.
func (m mixer) within(row definition.Attribute, value, other definition.Value) definition.Value {
	if value.IsNull() || other.IsNull() {
		return value
	}
	switch row.Type {
	case definition.Object:
		return m.object(row.Attributes, value, other)
	case definition.ObjectMap:
		elements, others := maps.Clone(definition.FieldsOf(value)), definition.FieldsOf(other)
		keys := slices.Sorted(maps.Keys(others))
		for _, key := range slices.Sorted(maps.Keys(elements)) {
			from, ok := others[key]
			if !ok && len(keys) > 0 {
				from = others[rapid.SampledFrom(keys).Draw(m.t, "from")]
			}
			if from.Type() != nil {
				elements[key] = m.object(row.Attributes, elements[key], from)
			}
		}
		return tftypes.NewValue(value.Type(), elements)
	}
	return value
}
