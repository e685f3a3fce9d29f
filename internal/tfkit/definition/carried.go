package definition

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// FromCarried makes a value of an object as the protocol carries it, decoded
// into Go's own types and without anything unknown. ok is false for what does
// not fit.
func (d *Definition) FromCarried(in map[string]any) (value Value, ok bool) {
	return d.root.fromCarried(in)
}

func (n *node) fromCarried(in any) (Value, bool) {
	switch v := in.(type) {
	case nil:
		return n.null(), true
	case string:
		return tftypes.NewValue(tftypes.String, v), n.Attribute.Type == Text
	case bool:
		return tftypes.NewValue(tftypes.Bool, v), n.Attribute.Type == Bool
	case int64:
		return NumberValue(v), n.Attribute.Type == Number
	case []any:
		return n.listFromCarried(v)
	case map[string]any:
		if n.Attribute.Type == TextMap {
			return n.mapFromCarried(v)
		}
		if n.Attribute.Type != Object || len(v) != len(n.fields) {
			return Value{}, false
		}
		values := make(map[string]Value, len(v))
		for name, field := range n.fields {
			carried, has := v[name]
			value, ok := field.fromCarried(carried)
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

func (n *node) listFromCarried(in []any) (Value, bool) {
	values := make([]Value, len(in))
	for i, carried := range in {
		text, isText := carried.(string)
		switch {
		case n.Attribute.Type == TextList && isText:
			values[i] = tftypes.NewValue(tftypes.String, text)
		case n.element != nil && carried != nil:
			value, ok := n.element.fromCarried(carried)
			if !ok {
				return Value{}, false
			}
			values[i] = value
		default:
			return Value{}, false
		}
	}
	return tftypes.NewValue(n.tfType, values), n.Attribute.Type == TextList || n.element != nil
}

func (n *node) mapFromCarried(in map[string]any) (Value, bool) {
	values := make(map[string]Value, len(in))
	for key, carried := range in {
		text, isText := carried.(string)
		if !isText {
			return Value{}, false
		}
		values[key] = tftypes.NewValue(tftypes.String, text)
	}
	return tftypes.NewValue(n.tfType, values), true
}

// Settable reports whether a configuration gives values only to attributes that
// may be configured, and to all that must be. The framework has the messages
// otherwise.
func (d *Definition) Settable(config Value) bool { return d.root.settable(config) }

func (n *node) settable(config Value) bool {
	switch n.Attribute.Type {
	case Object:
		fields := FieldsOf(config)
		for _, name := range n.names {
			field := n.fields[name]
			value := field.of(fields)
			switch {
			case value.IsNull() && field.Presence == Required, !value.IsNull() && field.Presence == Computed:
				return false
			case !value.IsNull() && (field.fields != nil || field.element != nil) && !field.settable(value):
				return false
			}
		}
	case ObjectList:
		for _, element := range ElementsOf(config) {
			if element.IsNull() || !n.element.settable(element) {
				return false
			}
		}
	}
	return true
}
