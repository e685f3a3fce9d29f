package definition

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// source is the origin of a value to complete.
type source int

const (
	fromConfig source = iota
	fromServer
)

// completer sets missing values, and keeps a prior value if the new one is
// semantically equal. Unknown values stay unknown. Elements of lists are
// matched by position, as Terraform does when it compares a plan with the prior
// state; for elements of a response see placeOf.
type completer struct {
	source source
	// keepLocal keeps the Local values of the prior state: after an import,
	// configuration and state may differ in them.
	keepLocal bool
}

// complete returns the complete value; kept reports whether it is the prior
// value.
func (c completer) complete(n *node, value, prior Value) (completed Value, kept bool) {
	if !value.IsKnown() {
		return value, false
	}
	nested := n.fields != nil || n.element != nil
	switch {
	case c.source == fromServer && n.element != nil && n.Presence == Nullable && len(ElementsOf(value)) == 0 && prior.IsKnown() && len(ElementsOf(prior)) == 0:
		return prior, true // null and empty are equal
	case nested && value.IsNull() && n.Presence == Nullable:
		return value, prior.IsNull()
	case n.fields != nil:
		return c.object(n, value, prior)
	case n.element != nil:
		return c.list(n, value, prior)
	case !value.IsFullyKnown():
		return value, false
	case !prior.IsNull() && prior.IsFullyKnown() && n.sameLeaf(value, prior):
		return prior, true
	case value.IsNull():
		empty := n.empty()
		return empty, empty.IsNull() && prior.IsNull()
	default:
		return value, false
	}
}

func (c completer) object(n *node, value, prior Value) (completed Value, kept bool) {
	given, before := FieldsOf(value), FieldsOf(prior)
	values := make(map[string]Value, len(n.fields))
	kept = len(before) == len(n.fields)
	for name, field := range n.fields {
		var same bool
		values[name], same = c.field(field, given, before)
		kept = kept && same
	}
	if kept {
		return prior, true
	}
	return tftypes.NewValue(n.tfType, values), false
}

func (c completer) list(n *node, value, prior Value) (completed Value, kept bool) {
	given, before := ElementsOf(value), ElementsOf(prior)
	values := make([]Value, len(given))
	kept = !prior.IsNull() && prior.IsKnown() && len(given) == len(before)
	for i := range given {
		if given[i].IsNull() {
			values[i], kept = given[i], false // unconvertible, see Reader
			continue
		}
		var same bool
		at := i
		if c.source == fromServer {
			at = n.element.placeOf(given[i], before, i)
		}
		values[i], same = c.complete(n.element, given[i], n.element.index(before, at))
		kept = kept && same && at == i
	}
	if kept {
		return prior, true
	}
	return tftypes.NewValue(n.tfType, values), false
}

// field completes an attribute of an object.
func (c completer) field(n *node, given, before map[string]Value) (completed Value, kept bool) {
	value, prior := n.fieldOf(given), n.fieldOf(before)
	switch n.role {
	case writeOnly:
		return n.null(), prior.IsNull()
	case hasWriteOnlySibling:
		if isSet(n.versionOf(given)) || c.source == fromServer && isSet(n.versionOf(before)) {
			return n.null(), prior.IsNull() // the write-only alternative is used
		}
	case version:
		if c.source == fromServer {
			return prior, true
		}
	}
	if c.source == fromServer {
		if (n.NotReturned || n.Local) && !prior.IsNull() {
			return prior, true
		}
		if !prior.IsNull() && n.bothStandForEmpty(given, before) {
			return prior, true
		}
		return c.complete(n, value, prior)
	}
	chosenElsewhere := n.Presence == Computed || n.Presence == ServerDefault && value.IsNull()
	switch {
	case chosenElsewhere && prior.IsNull():
		return n.unknown(), false
	case chosenElsewhere, !prior.IsNull() && (n.Local && c.keepLocal || n.bothStandForEmpty(given, before)):
		return prior, true
	}
	return c.complete(n, value, prior)
}

// Complete returns a configuration with all missing values set; values that the
// server chooses are unknown.
func (d *Definition) Complete(config Value) Value {
	complete, _ := completer{source: fromConfig}.complete(d.root, config, d.root.null())
	return complete
}

// ReadsAs reports whether a response leaves the state exactly unchanged. It
// does not call Derive, which returns the values of a state for an equal
// object.
func (d *Definition) ReadsAs(response Tree, state Value) bool {
	complete, _ := completer{source: fromServer}.complete(d.root, d.root.encode(response), state)
	next, before := FieldsOf(complete), FieldsOf(state)
	for name, n := range d.root.fields {
		_, answered := response[name]
		if n.Presence == Computed && !answered {
			if IsEmpty(before[name]) {
				return false
			}
			continue
		}
		if !Equal(next[name], before[name]) {
			return false
		}
	}
	return true
}

// Refreshed returns the state after a read: the response, except that prior
// values are kept where they are semantically equal or not returned by the
// server.
func (d *Definition) Refreshed(response, prior Value) Value {
	state, _ := completer{source: fromServer}.complete(d.root, response, prior)
	return d.derived(state, prior)
}

// derived sets the derived values in a complete object.
func (d *Definition) derived(value, prior Value) Value {
	if d.schema.Derive == nil {
		return value
	}
	fields := fieldsCopy(value)
	for name, v := range d.schema.Derive(value, prior) {
		if _, has := d.root.fields[name]; has { // a data source may lack it
			fields[name] = v
		}
	}
	return tftypes.NewValue(d.root.tfType, fields)
}

// Filled replaces unknown values in a plan by those of the state that was read
// back; values that are unknown there too become null.
func (d *Definition) Filled(planned, readBack Value) Value { return fill(d.root, planned, readBack) }

func fill(n *node, planned, from Value) Value {
	switch {
	case planned.IsFullyKnown():
		return planned
	case !planned.IsKnown() && isSet(from) && from.IsFullyKnown():
		return from
	case !planned.IsKnown():
		return n.null()
	}
	switch n.Attribute.Type {
	case Object:
		values, back := fieldsCopy(planned), FieldsOf(from)
		for name, field := range n.fields {
			values[name] = fill(field, values[name], field.fieldOf(back))
		}
		return tftypes.NewValue(n.tfType, values)
	case ObjectList:
		values, back := elementsCopy(planned), ElementsOf(from)
		for i := range values {
			elementBack := n.element.null()
			if i < len(back) {
				elementBack = back[i]
			}
			values[i] = fill(n.element, values[i], elementBack)
		}
		return tftypes.NewValue(n.tfType, values)
	default:
		if isSet(from) {
			return from
		}
		return n.null()
	}
}

// Derived returns a planned object with the derived values that are known now.
func (d *Definition) Derived(planned Value) Value {
	if d.schema.Derive == nil {
		return planned
	}
	fields := fieldsCopy(planned)
	for name, v := range d.schema.Derive(planned, d.root.null()) {
		if !fields[name].IsKnown() {
			fields[name] = v
		}
	}
	return tftypes.NewValue(d.root.tfType, fields)
}
