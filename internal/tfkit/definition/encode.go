package definition

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Tree is an object between the wire type and a Value, by attribute name:
// string, int64, bool, []string, map[string]string, Tree (an object, or a map of
// objects or strings by key), []any of Trees.
// Missing attributes are null; names without an attribute are ignored. Tests
// also use Unknown.
type Tree map[string]any

// Unknown is an unknown value in a Tree.
const Unknown = tftypes.UnknownValue

// Each converts a list of objects to trees.
func Each[T any](items []T, convert func(T) Tree) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

// Encode converts a tree to a value.
func (d *Definition) Encode(in Tree) Value { return d.root.encode(in) }

// FromServer converts a response to a complete object. It never fails: an object
// that a configuration could not have is shown too.
func (d *Definition) FromServer(in Tree) Value {
	complete, _ := completer{source: fromServer}.complete(d.root, d.root.encode(in), d.root.null())
	return complete
}

// encode converts to the attribute's type. A missing Go value, or one of
// another type, becomes null.
func (n *node) encode(in any) Value {
	if in == Unknown {
		return n.unknown()
	}
	switch v := in.(type) {
	case Value:
		return v
	case string:
		return tftypes.NewValue(tftypes.String, v)
	case int64:
		return NumberValue(v)
	case int:
		return NumberValue(int64(v))
	case float64:
		return tftypes.NewValue(tftypes.Number, v)
	case bool:
		return tftypes.NewValue(tftypes.Bool, v)
	case []string:
		values := make([]Value, len(v))
		for i, s := range v {
			values[i] = tftypes.NewValue(tftypes.String, s)
		}
		return tftypes.NewValue(n.tfType, values)
	case map[string]string:
		values := make(map[string]Value, len(v))
		for key, s := range v {
			values[key] = tftypes.NewValue(tftypes.String, s)
		}
		return tftypes.NewValue(n.tfType, values)
	case Tree:
		if n.element != nil || n.Attribute.Type == StringMap {
			values := make(map[string]Value, len(v))
			for key, element := range v {
				values[key] = n.elementNode().encode(element)
			}
			return tftypes.NewValue(n.tfType, values)
		}
		values := make(map[string]Value, len(n.fields))
		for name, field := range n.fields {
			values[name] = field.encode(v[name])
		}
		return tftypes.NewValue(n.tfType, values)
	case []any:
		values := make([]Value, len(v))
		for i, element := range v {
			values[i] = n.elementNode().encode(element)
		}
		return tftypes.NewValue(n.tfType, values)
	default:
		return n.null()
	}
}

// textElement is an element of a list of strings.
var textElement = compiler{}.node(Attribute{Name: "element", Type: String})

func (n *node) elementNode() *node {
	if n.element == nil {
		return textElement
	}
	return n.element
}
