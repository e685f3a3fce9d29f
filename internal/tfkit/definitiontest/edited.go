package definitiontest

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// EditedConfig changes parts of a configuration: to null, to an unknown value, to what
// another configuration has, or to a value that is often invalid. Attributes that only the
// provider sets stay.
func EditedConfig(t *rapid.T, of *definition.Definition, config, other definition.Value) definition.Value {
	return editor{isConfig: true}.object(t, of.Attributes(), config, other)
}

// EditedState changes parts of a state, to known values. The attribute id stays, since it follows
// from the others, and write-only ones, which no state has.
func EditedState(t *rapid.T, of *definition.Definition, state, other definition.Value) definition.Value {
	return editor{}.object(t, of.Attributes(), state, other)
}

type editor struct{ isConfig bool }

func (e editor) object(t *rapid.T, rows []definition.Attribute, object, other definition.Value) definition.Value {
	fields, others := maps.Clone(definition.FieldsOf(object)), definition.FieldsOf(other)
	for _, row := range sorted(rows) {
		if row.Presence == definition.Required || row.Name == "id" || e.isConfig && row.Presence == definition.Computed || !e.isConfig && strings.HasSuffix(row.Name, "_wo") {
			continue
		}
		fields[row.Name] = e.value(t, row, fields[row.Name], others[row.Name])
	}
	return tftypes.NewValue(object.Type(), fields)
}

func (e editor) value(t *rapid.T, row definition.Attribute, value, other definition.Value) definition.Value {
	kind := value.Type()
	switch edit := rapid.IntRange(0, 23).Draw(t, "edit"); {
	case edit == 0:
		return tftypes.NewValue(kind, nil)
	case edit == 1 && other.Type() != nil:
		return other
	case edit == 2 && e.isConfig:
		return tftypes.NewValue(kind, tftypes.UnknownValue)
	case edit == 3:
		return odd(t, kind)
	case value.IsNull() || !value.IsKnown():
		return value
	}
	switch row.Type {
	case definition.Object:
		return e.object(t, row.Attributes, value, other)
	case definition.ObjectList:
		var elements []definition.Value
		for _, element := range definition.ElementsOf(value) {
			elements = append(elements, e.element(t, row, element))
		}
		return tftypes.NewValue(kind, elements)
	case definition.ObjectMap:
		elements := maps.Clone(definition.FieldsOf(value))
		for _, key := range slices.Sorted(maps.Keys(elements)) {
			elements[key] = e.element(t, row, elements[key])
		}
		return tftypes.NewValue(kind, elements)
	}
	return value
}

func (e editor) element(t *rapid.T, row definition.Attribute, element definition.Value) definition.Value {
	if element.IsNull() || !element.IsKnown() {
		return element
	}
	return e.object(t, row.Attributes, element, definition.Value{})
}

// odd is a value of a type, which most attributes do not allow.
func odd(t *rapid.T, kind tftypes.Type) definition.Value {
	switch of := kind.(type) {
	case tftypes.List:
		return tftypes.NewValue(kind, []tftypes.Value{tftypes.NewValue(of.ElementType, nil)}[:rapid.IntRange(0, 1).Draw(t, "elements")])
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		if rapid.Bool().Draw(t, "an element") {
			elements["Other Name"] = tftypes.NewValue(of.ElementType, nil)
		}
		return tftypes.NewValue(kind, elements)
	case tftypes.Object:
		fields := map[string]tftypes.Value{}
		for name, field := range of.AttributeTypes {
			fields[name] = tftypes.NewValue(field, nil)
		}
		return tftypes.NewValue(kind, fields)
	}
	switch {
	case kind.Is(tftypes.Number):
		return tftypes.NewValue(kind, rapid.SampledFrom([]float64{-1, 0, 1.5, 1 << 31, -1 << 40, math.MaxInt32}).Draw(t, "number"))
	case kind.Is(tftypes.Bool):
		return tftypes.NewValue(kind, rapid.Bool().Draw(t, "truth"))
	}
	return tftypes.NewValue(kind, rapid.SampledFrom([]string{"", "alice", "a.b", "A", "Recreate", "101%", "-1", "1.5", "500m", "1x", "90s", strings.Repeat("a", 64), "{}", "é\u0301"}).Draw(t, "text"))
}
