package definition

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// With returns a copy of an object with the given attributes.
func (d *Definition) With(value Value, attributes map[string]Value) Value {
	return WithFields(value, attributes)
}

// WithFields is Definition.With for a nested object.
func WithFields(value Value, attributes map[string]Value) Value {
	fields := fieldsCopy(value)
	maps.Copy(fields, attributes)
	return tftypes.NewValue(value.Type(), fields)
}

// ImportDefault is what an attribute has after an import.
func (d *Definition) ImportDefault(name string) Value {
	return d.root.fields[name].fallback
}

// WithImportDefaults returns a state of which nothing but what the server returns is known: attributes
// that are null have what they have after an import. Terraform lets a plan keep a prior value only
// if that is not null.
func (d *Definition) WithImportDefaults(state Value) Value {
	view := ViewOf(state)
	for name, n := range d.root.fields {
		if n.hasImportDefault() && view.At(name).IsNull() {
			view = view.WithValue(name, n.fallback)
		}
	}
	return view.Value()
}

// OnlyID returns an object of an import: all attributes are null except the given
// ones, and Local ones that have a default, or are true or false. Terraform lets a plan keep a value
// of the state instead of the configuration's only if that is not null.
func (d *Definition) OnlyID(attributes map[string]Value) Value {
	fields := make(map[string]Value, len(d.root.fields))
	for name, n := range d.root.fields {
		switch {
		case n.hasImportDefault():
			fields[name] = n.fallback
		case n.Local && n.Presence != Computed && (n.Default != nil || n.Attribute.Type == Bool):
			fields[name] = n.empty
		default:
			fields[name] = n.null()
		}
	}
	maps.Copy(fields, attributes)
	return tftypes.NewValue(d.Type(), fields)
}
