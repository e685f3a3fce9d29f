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
// ones, and time limits that set nothing. Terraform lets a plan keep a value of
// the state instead of the configuration's only if that is not null.
func (d *Definition) OnlyID(attributes map[string]Value) Value {
	fields := map[string]Value{}
	for name, attributeType := range d.Type().AttributeTypes {
		fields[name] = tftypes.NewValue(attributeType, nil)
	}
	if n, limited := d.root.fields[AttrTimeouts]; limited {
		fields[AttrTimeouts] = n.withoutValues()
	}
	maps.Copy(fields, attributes)
	return tftypes.NewValue(d.Type(), fields)
}
