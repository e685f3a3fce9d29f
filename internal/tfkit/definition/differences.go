package definition

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// scope selects the attributes that are compared.
type scope int

const (
	// asRead compares what the server returns.
	asRead scope = iota
	// asPlanned compares everything that a configuration can set.
	asPlanned
	// asSent is asPlanned without the attributes that are never sent.
	asSent
)

func (s scope) has(n *node) bool {
	switch {
	case n.Presence == Computed, n.role == writeOnly:
		return false
	case s == asRead:
		return !n.NotReturned && !n.Local && n.role != version
	case s == asSent:
		return !n.Local
	default:
		return true
	}
}

// Differences are the paths at which a planned object, or the state, differs
// from a response, in a stable order. Unknown values, values that the server
// does not return and write-only values do not differ; see WithSecrets for the
// latter. A list of another length, and an object that only one side has, is
// one difference. An object of a map is found by what identifies it.
func (d *Definition) Differences(desired, response Value) []path.Path {
	return asRead.differences(d.root, desired, response, path.Empty())
}

func (s scope) differences(n *node, a, b Value, at path.Path) []path.Path {
	if !a.IsKnown() || !b.IsKnown() {
		if s == asRead || !a.IsKnown() && !b.IsKnown() {
			return nil
		}
		return []path.Path{at}
	}
	if s == asRead && n.Presence == ServerDefault && a.IsNull() {
		return nil // the server's choice is not known yet
	}
	switch n.Attribute.Type {
	case Object:
		if n.Presence == Nullable && a.IsNull() != b.IsNull() {
			return []path.Path{at}
		}
		left, right := FieldsOf(a), FieldsOf(b)
		var found []path.Path
		for _, name := range n.names {
			field := n.fields[name]
			if !s.has(field) || field.role == hasWriteOnlySibling && (isSet(field.versionOf(left)) || isSet(field.versionOf(right))) || field.bothStandForEmpty(left, right) {
				continue
			}
			found = append(found, s.differences(field, field.fieldOf(left), field.fieldOf(right), at.AtName(name))...)
		}
		return found
	case ObjectList:
		left, right := ElementsOf(a), ElementsOf(b)
		if len(left) != len(right) {
			return []path.Path{at}
		}
		var found []path.Path
		for i := range left {
			found = append(found, s.differences(n.element, left[i], right[i], at.AtListIndex(i))...)
		}
		return found
	case ObjectMap:
		return s.inMap(n, FieldsOf(a), FieldsOf(b), at)
	}
	if a.IsFullyKnown() && b.IsFullyKnown() && n.sameLeaf(a, b) {
		return nil
	}
	if s == asRead && !a.IsFullyKnown() {
		return nil
	}
	return []path.Path{at}
}

// inMap are the differences of two maps of objects.
func (s scope) inMap(n *node, a, b map[string]Value, at path.Path) (found []path.Path) {
	counterparts := n.counterparts(a, b, s != asPlanned)
	removed := maps.Clone(a)
	for _, key := range slices.Sorted(maps.Keys(b)) {
		other, has := counterparts[key]
		if !has {
			found = append(found, at.AtMapKey(key))
			continue
		}
		found = append(found, s.differences(n.element, a[other], b[key], at.AtMapKey(key))...)
		delete(removed, other)
	}
	for _, key := range slices.Sorted(maps.Keys(removed)) {
		found = append(found, at.AtMapKey(key))
	}
	return found
}

// EqualConfigured reports whether two objects are identical in the attributes that a configuration
// can set.
func (d *Definition) EqualConfigured(a, b View) bool { return asPlanned.equal(d.root, a, b) }

// EqualReturned is EqualConfigured for the attributes that the server returns.
func (d *Definition) EqualReturned(a, b View) bool { return asRead.equal(d.root, a, b) }

// equal compares the attributes of an object, each as a whole.
func (s scope) equal(n *node, a, b View) bool {
	for _, field := range n.inOrder {
		if s.has(field) && !Equal(a.At(field.Name), b.At(field.Name)) {
			return false
		}
	}
	return true
}

// IsConfigurationKnown reports whether nothing that a configuration can set is unknown in an object.
func (d *Definition) IsConfigurationKnown(object View) bool {
	if object.IsUnknown() {
		return false
	}
	for _, field := range d.root.inOrder {
		if asPlanned.has(field) && !object.At(field.Name).IsFullyKnown() {
			return false
		}
	}
	return true
}

// Sent are the changed attributes that an update has to send. For a write-only
// attribute it is the version.
func (d *Definition) Sent(prior, planned Value) []path.Path {
	return asSent.differences(d.root, prior, planned, path.Empty())
}
