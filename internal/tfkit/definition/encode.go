package definition

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Tree is an object between the wire type and a Value, by attribute name:
// string, int64, bool, []string, map[string]string, Tree (an object, or a map of
// objects or strings by key), []any of Trees.
// Missing attributes are null. Tests also use Unknown. A name that is no attribute, or a value
// of another type, is a mistake in the code and panics; see Schema.DataSource and PartOf.
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

// TreeOf is the opposite of Encode for an object: nil for null, and Unknown.
func TreeOf(object Value) Tree {
	tree, _ := decoded(object).(Tree)
	return tree
}

func decoded(v Value) any {
	switch {
	case !v.IsKnown():
		return Unknown
	case v.IsNull():
		return nil
	case v.Type().Is(tftypes.String):
		return StringOf(v)
	case v.Type().Is(tftypes.Bool):
		return BoolOf(v)
	case v.Type().Is(tftypes.Number):
		n, _ := NumberOf(v)
		return n
	case v.Type().Is(tftypes.List{}):
		elements := []any{}
		for _, element := range ElementsOf(v) {
			elements = append(elements, decoded(element))
		}
		return elements
	}
	fields := FieldsOf(v)
	tree := make(Tree, len(fields))
	for name, value := range fields {
		tree[name] = decoded(value)
	}
	return tree
}

// FromServer converts a response to a complete object. It never fails: an object
// that a configuration could not have is shown too.
func (d *Definition) FromServer(in Tree) Value {
	complete, _ := completer{source: fromServer}.complete(d.root, d.root.encode(in), d.root.null())
	return complete
}

// encode converts to the attribute's type. A missing Go value becomes null.
func (n *node) encode(in any) Value {
	switch in {
	case nil:
		return n.null()
	case Unknown:
		return n.unknown()
	}
	var value Value
	var ok bool
	switch v := in.(type) {
	case Value:
		value, ok = v, n.Attribute.Type.describes(v.Type())
	case Tree:
		value, ok = n.encodeTree(v)
	case []any:
		value, ok = n.encodeList(v)
	default:
		value, ok = n.encodeLeaf(in)
	}
	if !ok {
		panic(fmt.Sprintf("attribute %q cannot be a %T", n.Name, in))
	}
	return value
}

// encodeLeaf converts a value without nested attributes; ok is false if the attribute has another
// type.
func (n *node) encodeLeaf(in any) (value Value, ok bool) {
	t := n.Attribute.Type
	switch v := in.(type) {
	case string:
		return StringValue(v), t == String
	case int64:
		return NumberValue(v), t == Number
	case int:
		return NumberValue(int64(v)), t == Number
	case float64:
		return tftypes.NewValue(tftypes.Number, v), t == Number
	case bool:
		return BoolValue(v), t == Bool
	case []string:
		values := make([]Value, len(v))
		for i, s := range v {
			values[i] = StringValue(s)
		}
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, values), t == StringList
	case map[string]string:
		values := make(map[string]Value, len(v))
		for key, s := range v {
			values[key] = StringValue(s)
		}
		return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values), t == StringMap
	default:
		return Value{}, false
	}
}

// encodeList converts a list; ok is false if the attribute is none.
func (n *node) encodeList(list []any) (value Value, ok bool) {
	if n.Attribute.Type != StringList && n.Attribute.Type != ObjectList {
		return Value{}, false
	}
	values := make([]Value, len(list))
	for i, element := range list {
		values[i] = n.elementNode().encode(element)
	}
	return tftypes.NewValue(n.tfType, values), true
}

// encodeTree converts an object, or a map; ok is false if the attribute is neither.
func (n *node) encodeTree(tree Tree) (value Value, ok bool) {
	switch n.Attribute.Type {
	case StringMap, ObjectMap:
		values := make(map[string]Value, len(tree))
		for key, element := range tree {
			values[key] = n.elementNode().encode(element)
		}
		return tftypes.NewValue(n.tfType, values), true
	case Object:
		values, declared := make(map[string]Value, len(n.fields)), 0
		for name, field := range n.fields {
			in, has := tree[name]
			if has {
				declared++
			}
			values[name] = field.encode(in)
		}
		if declared < len(tree) {
			n.checkNames(maps.Keys(tree))
		}
		return tftypes.NewValue(n.tfType, values), true
	default:
		return Value{}, false
	}
}

// checkNames panics for a name that is neither an attribute nor omitted.
func (n *node) checkNames(names iter.Seq[string]) {
	for name := range names {
		if n.fields[name] == nil && !slices.Contains(n.omits, name) {
			panic(fmt.Sprintf("%q is no attribute of %q, which has %q", name, n.Name, n.names))
		}
	}
}

// textElement is an element of a list of strings.
var textElement = &node{Attribute: Attribute{Name: "element", Type: String}, tfType: tftypes.String}

func (n *node) elementNode() *node {
	if n.element == nil {
		return textElement
	}
	return n.element
}

// Full is an object in which every attribute is set, with one element in each list and map.
// Conversions of it read and write every name.
func (d *Definition) Full() Value { return d.root.full() }

func (n *node) full() Value {
	const text = "x"
	switch n.Attribute.Type {
	case String:
		return StringValue(text)
	case Number:
		return NumberValue(1)
	case Bool:
		return BoolValue(true)
	case Object:
		values := make(map[string]Value, len(n.fields))
		for name, field := range n.fields {
			values[name] = field.full()
		}
		return tftypes.NewValue(n.tfType, values)
	case StringMap, ObjectMap:
		return tftypes.NewValue(n.tfType, map[string]Value{text: n.elementNode().full()})
	default:
		return tftypes.NewValue(n.tfType, []Value{n.elementNode().full()})
	}
}
