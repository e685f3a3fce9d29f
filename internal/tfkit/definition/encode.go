package definition

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// Tree is an object on its way from the wire into a value, by attribute name:
// string, int64, bool, []string, map[string]string, Tree, []any of Trees. What
// it lacks is null; what no attribute is named like is left out. Tests put
// Unknown into it.
type Tree map[string]any

// Unknown stands in a tree for a value that is not known yet.
const Unknown = tftypes.UnknownValue

// Each makes the trees of a list of objects.
func Each[T any](items []T, convert func(T) Tree) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

// Encode makes a value of a tree.
func (d *Definition) Encode(in Tree) Value { return d.root.encode(in) }

// Answer makes the complete object of what a server answered. It never fails:
// whatever the server holds is shown, also what would be refused in a
// configuration.
func (d *Definition) Answer(in Tree) Value {
	complete, _ := completer{source: fromServer}.complete(d.root, d.root.encode(in), d.root.null())
	return complete
}

// encode makes a value of the attribute's type. A Go value of another type than
// the attribute's is null, as is one that is missing.
func (n *node) encode(in any) Value {
	if in == Unknown {
		return n.unknown()
	}
	switch v := in.(type) {
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

// textElement is an element of a list of texts.
var textElement = newNode(Attribute{Name: "element", Type: Text})

func (n *node) elementNode() *node {
	if n.element == nil {
		return textElement
	}
	return n.element
}
