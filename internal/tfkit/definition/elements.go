package definition

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// elements visits the objects of a list or map in order, each with its place.
func (n *node) elements(v Value) iter.Seq2[path.PathStep, Value] {
	return func(yield func(path.PathStep, Value) bool) {
		if n.Attribute.Type == ObjectMap {
			fields := FieldsOf(v)
			for _, key := range slices.Sorted(maps.Keys(fields)) {
				if !yield(path.PathStepElementKeyString(key), fields[key]) {
					return
				}
			}
			return
		}
		for i, element := range ElementsOf(v) {
			if !yield(path.PathStepElementKeyInt(i), element) {
				return
			}
		}
	}
}

// mapElements returns a list or map with each object changed.
func (n *node) mapElements(v Value, change func(path.PathStep, Value) Value) Value {
	if n.Attribute.Type == ObjectMap {
		values := fieldsCopy(v)
		for at, element := range n.elements(v) {
			key, _ := at.(path.PathStepElementKeyString)
			values[string(key)] = change(at, element)
		}
		return tftypes.NewValue(n.tfType, values)
	}
	values := elementsCopy(v)
	for i, element := range values {
		values[i] = change(path.PathStepElementKeyInt(i), element)
	}
	return tftypes.NewValue(n.tfType, values)
}

// elementAt returns the object of a list or map at a place, null if there is none.
func (n *node) elementAt(v Value, at path.PathStep) Value {
	switch at := at.(type) {
	case path.PathStepElementKeyString:
		return n.element.orNull(FieldsOf(v)[string(at)])
	case path.PathStepElementKeyInt:
		if elements := ElementsOf(v); int(at) < len(elements) {
			return elements[at]
		}
	}
	return n.element.null()
}

// below is the path of an object in the list or map at a path.
func below(at path.Path, step path.PathStep) path.Path {
	switch step := step.(type) {
	case path.PathStepElementKeyInt:
		return at.AtListIndex(int(step))
	case path.PathStepElementKeyString:
		return at.AtMapKey(string(step))
	}
	return at
}

// orNull is a value, or null if it is missing.
func (n *node) orNull(v Value) Value {
	if v.Type() == nil {
		return n.null()
	}
	return v
}

// isEmpty reports whether a known list or map has no elements.
func (n *node) isEmpty(v Value) bool {
	if n.Attribute.Type == ObjectMap {
		return len(FieldsOf(v)) == 0
	}
	return len(ElementsOf(v)) == 0
}

// withKey returns the attributes of an object of a map with the default of the one that identifies it, its
// key; nil if that is set.
func (n *node) withKey(element Value, key string) map[string]Value {
	if len(n.IdentifiedBy) == 0 || !element.IsKnown() || isSet(FieldsOf(element)[n.IdentifiedBy[0]]) {
		return nil
	}
	fields := fieldsCopy(element)
	fields[n.IdentifiedBy[0]] = StringValue(key)
	return fields
}

// counterparts returns the keys of the objects of b in a, as far as they are there: by
// identity, and of those that differ in it by key.
func (n *node) counterparts(a, b map[string]Value, byIdentity bool) map[string]string {
	found, taken := make(map[string]string, len(b)), make(map[string]bool, len(a))
	keys := slices.Sorted(maps.Keys(b))
	match := func(other func(key string) (string, bool)) {
		for _, key := range keys {
			if _, done := found[key]; done {
				continue
			}
			if at, ok := other(key); ok && !taken[at] {
				found[key], taken[at] = at, true
			}
		}
	}
	if byIdentity && len(n.IdentifiedBy) > 0 {
		places := map[string][]string{}
		for _, key := range slices.Sorted(maps.Keys(a)) {
			id := n.identity(a[key])
			places[id] = append(places[id], key)
		}
		match(func(key string) (string, bool) {
			id := n.identity(b[key])
			return key, id != "" && id == n.identity(a[key])
		})
		match(func(key string) (at string, ok bool) {
			id := n.identity(b[key])
			for len(places[id]) > 0 && id != "" && !ok {
				at, ok, places[id] = places[id][0], !taken[places[id][0]], places[id][1:]
			}
			return at, ok
		})
	}
	match(func(key string) (string, bool) { _, has := a[key]; return key, has })
	return found
}

// identity returns what identifies an object of a map, "" while it may still change.
func (n *node) identity(element Value) string {
	fields := FieldsOf(element)
	if fields == nil {
		return ""
	}
	parts := make([]string, len(n.IdentifiedBy))
	for i, name := range n.IdentifiedBy {
		if !fields[name].IsKnown() {
			return ""
		}
		parts[i] = StringOf(fields[name])
	}
	return strings.Join(parts, "/")
}
