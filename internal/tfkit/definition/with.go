package definition

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// With returns a copy of an object with the given attributes.
func (d *Definition) With(value Value, attributes map[string]Value) Value {
	fields := fieldsCopy(value)
	maps.Copy(fields, attributes)
	return tftypes.NewValue(d.Type(), fields)
}

// OnlyID returns an object of an import: all attributes are null except the given
// ones, and local objects such as timeouts, which set nothing.
func (d *Definition) OnlyID(attributes map[string]Value) Value {
	fields := fieldsCopy(d.root.withoutValues())
	for name, n := range d.root.fields {
		if n.isLocalObject() {
			fields[name] = n.withoutValues()
		}
	}
	maps.Copy(fields, attributes)
	return tftypes.NewValue(d.Type(), fields)
}
