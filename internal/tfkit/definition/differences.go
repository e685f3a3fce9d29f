package definition

import (
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// scope says which attributes are compared.
type scope int

const (
	// asRead compares what a server returns.
	asRead scope = iota
	// asPlanned compares all that a configuration can say.
	asPlanned
	// asSent compares that, save for what never leaves the state.
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

// Differences are the paths at which a planned object, or one of the state, is
// not what a server returned, in a stable order. What is unknown, what the
// server does not return and texts in the write-only form do not differ; see
// WithSecrets for those. A list whose length differs, and an object that only
// one of them has, is one difference.
func (d *Definition) Differences(desired, answer Value) []path.Path {
	return asRead.differences(d.root, desired, answer, path.Empty())
}

func (s scope) differences(n *node, a, b Value, at path.Path) []path.Path {
	if !a.IsKnown() || !b.IsKnown() {
		if s == asRead || !a.IsKnown() && !b.IsKnown() {
			return nil
		}
		return []path.Path{at}
	}
	if s == asRead && n.Presence == ServerDefault && a.IsNull() {
		return nil // what the server chose was never read
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
			if !s.has(field) || field.role == readable && (isSet(field.versionOf(left)) || isSet(field.versionOf(right))) || field.bothStandForEmpty(left, right) {
				continue
			}
			found = append(found, s.differences(field, field.of(left), field.of(right), at.AtName(name))...)
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
	}
	if a.IsFullyKnown() && b.IsFullyKnown() && n.sameLeaf(a, b) {
		return nil
	}
	if s == asRead && !a.IsFullyKnown() {
		return nil
	}
	return []path.Path{at}
}

// Sends reports whether an update has to tell the server something.
func (d *Definition) Sends(prior, planned Value) bool { return len(d.Sent(prior, planned)) > 0 }

// Sent are the attributes of which an update has to tell the server. Of a text
// in the write-only form it is the version.
func (d *Definition) Sent(prior, planned Value) []path.Path {
	return asSent.differences(d.root, prior, planned, path.Empty())
}
