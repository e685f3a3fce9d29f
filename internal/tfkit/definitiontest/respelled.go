package definitiontest

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Respelled draws a configuration that means the same: with other Spellings, and with
// defaults written or left out.
func (g Generator) Respelled(t *rapid.T, config definition.Value) definition.Value {
	return g.respelledObject(t, g.Definition.Attributes(), config)
}

func (g Generator) respelledObject(t *rapid.T, rows []definition.Attribute, object definition.Value) definition.Value {
	fields := maps.Clone(definition.FieldsOf(object))
	for _, row := range sorted(rows) {
		if row.Presence == definition.Computed || isWriteOnly(rows, row.Name) {
			continue
		}
		if row.WriteOnly && !fields[row.Name+suffixWO].IsNull() {
			fields[row.Name+suffixWO] = g.respelledText(t, row.Name, fields[row.Name+suffixWO])
			continue
		}
		fields[row.Name] = g.respelled(t, row, fields[row.Name])
	}
	return tftypes.NewValue(object.Type(), fields)
}

func (g Generator) respelled(t *rapid.T, row definition.Attribute, value definition.Value) definition.Value {
	if !value.IsNull() {
		switch row.Type {
		case definition.String:
			value = g.respelledText(t, row.Name, value)
		case definition.Object:
			value = g.respelledObject(t, row.Attributes, value)
		case definition.ObjectMap:
			elements := maps.Clone(definition.FieldsOf(value))
			for _, key := range slices.Sorted(maps.Keys(elements)) {
				elements[key] = g.respelledObject(t, row.Attributes, elements[key])
			}
			value = tftypes.NewValue(value.Type(), elements)
		}
	}
	if row.Presence != definition.Optional {
		return value
	}
	written, omissible := g.defaultOf(row, value)
	if !omissible {
		return value
	}
	omitted := tftypes.NewValue(value.Type(), nil)
	switch {
	case value.IsNull() && row.Type == definition.StringMap:
		return value // Terraform shows a map that was not there before, also an empty one
	case value.IsNull():
		if row.Type == definition.Object {
			written = g.respelledObject(t, row.Attributes, written)
		}
		return rapid.SampledFrom([]definition.Value{omitted, written}).Draw(t, "written")
	case g.means(row, value, written):
		return rapid.SampledFrom([]definition.Value{omitted, value}).Draw(t, "left out")
	}
	return value
}

// defaultOf is what an attribute that is left out means, if it can be written.
func (g Generator) defaultOf(row definition.Attribute, value definition.Value) (written definition.Value, omissible bool) {
	kind := value.Type()
	if row.Default != nil && row.Type != definition.Object {
		return tftypes.NewValue(kind, row.Default), true
	}
	switch row.Type {
	case definition.String:
		text, ok := g.Defaults[row.Name]
		return definition.StringValue(text), ok
	case definition.StringMap, definition.ObjectMap:
		return tftypes.NewValue(kind, map[string]definition.Value{}), true
	case definition.Object:
		fields := map[string]definition.Value{}
		object, _ := kind.(tftypes.Object)
		for name, field := range object.AttributeTypes {
			fields[name] = tftypes.NewValue(field, nil)
		}
		return tftypes.NewValue(kind, fields), true
	default:
		return written, false
	}
}

// means reports whether a value is a default in any spelling.
func (g Generator) means(row definition.Attribute, value, written definition.Value) bool {
	if value.Equal(written) {
		return true
	}
	return row.Type == definition.String && slices.Contains(g.sameAs(row.Name, definition.StringOf(value)), definition.StringOf(written))
}

// sameAs are the spellings of a text.
func (g Generator) sameAs(name, text string) []string {
	for _, group := range g.Spellings[name] {
		if slices.Contains(group, text) {
			return group
		}
	}
	return []string{text}
}

func (g Generator) respelledText(t *rapid.T, name string, value definition.Value) definition.Value {
	return definition.StringValue(rapid.SampledFrom(g.sameAs(name, definition.StringOf(value))).Draw(t, "spelling"))
}
