package definition

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// FromProtocol converts a decoded, wholly known object of the protocol to a
// value. ok is false if it does not fit the type.
func (d *Definition) FromProtocol(in map[string]any) (value Value, ok bool) {
	return d.root.fromProtocol(in)
}

func (n *node) fromProtocol(in any) (Value, bool) {
	switch v := in.(type) {
	case nil:
		return n.null(), true
	case string:
		return tftypes.NewValue(tftypes.String, v), n.Attribute.Type == String
	case bool:
		return tftypes.NewValue(tftypes.Bool, v), n.Attribute.Type == Bool
	case int64:
		return NumberValue(v), n.Attribute.Type == Number
	case []any:
		if n.Attribute.Type != StringList && n.Attribute.Type != ObjectList {
			return Value{}, false
		}
		return n.listFromProtocol(v)
	case map[string]any:
		if n.Attribute.Type == StringMap || n.Attribute.Type == ObjectMap {
			return n.mapFromProtocol(v)
		}
		if n.Attribute.Type != Object || len(v) != len(n.fields) {
			return Value{}, false
		}
		values := make(map[string]Value, len(v))
		for name, field := range n.fields {
			raw, has := v[name]
			value, ok := field.fromProtocol(raw)
			if !has || !ok {
				return Value{}, false
			}
			values[name] = value
		}
		return tftypes.NewValue(n.tfType, values), true
	default:
		return Value{}, false
	}
}

func (n *node) listFromProtocol(in []any) (Value, bool) {
	values := make([]Value, len(in))
	for i, raw := range in {
		value, ok := n.elementNode().fromProtocol(raw)
		if raw == nil || !ok {
			return Value{}, false
		}
		values[i] = value
	}
	return tftypes.NewValue(n.tfType, values), true
}

func (n *node) mapFromProtocol(in map[string]any) (Value, bool) {
	values := make(map[string]Value, len(in))
	for key, raw := range in {
		value, ok := n.elementNode().fromProtocol(raw)
		if raw == nil || !ok {
			return Value{}, false
		}
		values[key] = value
	}
	return tftypes.NewValue(n.tfType, values), true
}

// Configurable reports whether a configuration sets all required attributes, no
// computed ones, and none that need a newer CLI. Otherwise the framework
// reports the diagnostics.
func (d *Definition) Configurable(config Value) bool { return d.root.configurable(config) }

func (n *node) configurable(config Value) bool {
	switch n.Attribute.Type {
	case Object:
		fields := FieldsOf(config)
		for _, name := range n.names {
			field := n.fields[name]
			value := field.fieldOf(fields)
			switch {
			case value.IsNull() && field.Presence == Required, !value.IsNull() && field.Presence == Computed:
				return false
			case !value.IsNull() && field.role == writeOnly:
				return false // the framework checks whether the CLI supports such attributes
			case !value.IsNull() && (field.fields != nil || field.element != nil) && !field.configurable(value):
				return false
			}
		}
	case ObjectList, ObjectMap:
		for _, element := range n.elements(config) {
			if element.IsNull() || !n.element.configurable(element) {
				return false
			}
		}
	}
	return true
}
