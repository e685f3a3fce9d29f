package definition

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// source is the origin of a value to complete.
type source int

const (
	fromConfig source = iota
	fromServer
)

// completer sets missing values, and keeps a prior value if the new one is
// semantically equal. A value that is not set, and has no default, is null, unless
// the configuration has it as empty. Unknown values stay unknown. Elements of lists are
// matched by position and those of maps by key, as Terraform does when it compares
// a plan with the prior state; for elements of a response see placeOf.
type completer struct {
	source source
	// keepLocal keeps the Local values of the prior state: after an import,
	// configuration and state may differ in them.
	keepLocal bool
	// onlyDefaults is set if the prior value is the value itself, which gets defaults and nothing else:
	// Computed values stay as they are.
	onlyDefaults bool
}

// relation is how a complete value relates to the prior one.
type relation int

const (
	changed relation = iota
	// emptied values are empty where the prior ones are null. Terraform lets a plan have
	// null for what is configured as empty only if it keeps a whole prior object, which
	// depends on all its values, and one of them may be known only in the apply.
	emptied
	identical
)

// identicalIf is identical, or changed.
func identicalIf(same bool) relation {
	if same {
		return identical
	}
	return changed
}

// complete returns the complete value.
func (c completer) complete(n *node, value, prior Value) (completed Value, k relation) {
	completed, k = c.asWritten(n, value, prior)
	switch {
	case k != changed || !n.emptyIsNull() || !n.isUnset(completed):
		return completed, k
	case value.IsNull() || c.source == fromServer:
		return n.null(), identicalIf(prior.IsNull())
	case prior.IsNull():
		return completed, emptied
	default:
		return completed, changed
	}
}

// asWritten is complete with empty values as they are.
func (c completer) asWritten(n *node, value, prior Value) (completed Value, k relation) {
	if !value.IsKnown() {
		return value, changed
	}
	nested := n.fields != nil || n.element != nil
	switch {
	case c.source == fromServer && n.element != nil && n.Presence == Nullable && n.isEmpty(value) && prior.IsKnown() && n.isEmpty(prior):
		return prior, identical // null and empty are equal
	case n.hasImportDefault() && value.IsNull() && Equal(prior, n.fallback):
		return prior, identical // as after an import
	case value.IsNull() && (nested && n.Presence == Nullable || n.noObjectIsNull()):
		return value, identicalIf(prior.IsNull())
	case n.fields != nil:
		return c.object(n, FieldsOf(value), prior)
	case n.Attribute.Type == ObjectMap:
		return c.objectMap(n, value, prior)
	case n.element != nil:
		return c.list(n, value, prior)
	case !value.IsFullyKnown():
		return value, changed
	case !prior.IsNull() && prior.IsFullyKnown() && (c.onlyDefaults || n.sameLeaf(value, prior)):
		return prior, identical
	case value.IsNull():
		return n.empty, identicalIf(n.empty.IsNull() && prior.IsNull())
	default:
		return value, changed
	}
}

func (c completer) object(n *node, fields map[string]Value, prior Value) (completed Value, k relation) {
	values, k := c.fields(n, fields, FieldsOf(prior))
	if k == identical {
		return prior, k
	}
	return tftypes.NewValue(n.tfType, values), k
}

// fields completes the attributes of an object. values is nil if all are identical to those before.
func (c completer) fields(n *node, fields, before map[string]Value) (values map[string]Value, k relation) {
	whole := len(before) == len(n.fields)
	if k = identicalIf(whole); !whole {
		values = make(map[string]Value, len(n.fields))
	}
	for _, field := range n.inOrder {
		completed, same := c.field(field, fields, before)
		if k = min(k, same); values == nil && k != identical {
			values = maps.Clone(before)
		}
		if same != identical || !whole {
			values[field.Name] = completed
		}
	}
	return values, k
}

func (c completer) list(n *node, value, prior Value) (completed Value, k relation) {
	elements, before := ElementsOf(value), ElementsOf(prior)
	values := make([]Value, len(elements))
	k = identicalIf(!prior.IsNull() && prior.IsKnown() && len(elements) == len(before))
	for i := range elements {
		if elements[i].IsNull() {
			values[i], k = elements[i], changed // unconvertible, see Reader
			continue
		}
		var same relation
		at := i
		if c.source == fromServer {
			at = n.element.placeOf(elements[i], before, i)
		}
		values[i], same = c.complete(n.element, elements[i], n.elementAt(prior, path.PathStepElementKeyInt(at)))
		k = min(k, same, identicalIf(at == i))
	}
	if k == identical {
		return prior, k
	}
	return tftypes.NewValue(n.tfType, values), k
}

func (c completer) objectMap(n *node, value, prior Value) (completed Value, k relation) {
	values, before := fieldsCopy(value), FieldsOf(prior)
	k = identicalIf(isSet(prior) && prior.IsKnown() && len(values) == len(before))
	for key, element := range values {
		if element.IsNull() {
			k = changed // unconvertible, see Reader
			continue
		}
		var same relation
		old := n.element.orNull(before[key])
		if fields := n.withKey(element, key); fields != nil {
			values[key], same = c.object(n.element, fields, old)
		} else {
			values[key], same = c.complete(n.element, element, old)
		}
		k = min(k, same)
	}
	if k == identical {
		return prior, k
	}
	return tftypes.NewValue(n.tfType, values), k
}

// field completes an attribute of an object.
func (c completer) field(n *node, siblings, before map[string]Value) (completed Value, k relation) {
	value, prior := n.fieldOf(siblings), n.fieldOf(before)
	if c.onlyDefaults && n.Presence == Computed {
		return value, identical
	}
	if n.DefaultFrom != nil && value.IsNull() {
		if from := n.DefaultFrom(siblings); from.Type() != nil {
			value = from
		}
	}
	switch n.role {
	case writeOnly:
		return n.null(), identicalIf(prior.IsNull())
	case hasWriteOnlySibling:
		hidden := isSet(n.versionOf(siblings)) && (value.IsNull() || c.source == fromServer)
		if hidden || c.source == fromServer && isSet(n.versionOf(before)) {
			return n.null(), identicalIf(prior.IsNull()) // the write-only alternative is used
		}
	case version:
		if c.source == fromServer {
			return prior, identical
		}
	}
	if c.source == fromServer {
		if n.Local && n.Presence == Computed {
			if prior.IsNull() && n.Default != nil {
				return n.fallback, changed
			}
			return prior, identical
		}
		if (n.NotReturned || n.Local) && !prior.IsNull() {
			return prior, identical
		}
		if n.bothStandForEmpty(siblings, before) {
			return prior, identical
		}
		return c.complete(n, value, prior)
	}
	chosenElsewhere := n.Presence == Computed || n.Presence == ServerDefault && value.IsNull()
	switch {
	case chosenElsewhere && before == nil:
		return n.unknown(), changed
	case chosenElsewhere, !prior.IsNull() && (n.Local && c.keepLocal || n.bothStandForEmpty(siblings, before)):
		return prior, identical
	}
	return c.complete(n, value, prior)
}

// Complete returns a configuration with all missing values set; values that the
// server chooses are unknown.
func (d *Definition) Complete(config Value) Value {
	complete, _ := completer{source: fromConfig}.complete(d.root, config, d.root.null())
	return complete
}

// WithDefaults returns an object with the defaults of what is null. Computed values stay as they are.
func (d *Definition) WithDefaults(object View) View {
	if object.IsUnknown() {
		return object
	}
	complete, _ := completer{source: fromConfig, onlyDefaults: true}.fields(d.of(object.object).root, object.fields, object.fields)
	return object.withFields(complete)
}

// Refreshed returns the state after a read: the response, except that prior
// values are kept where they are semantically equal or not returned by the
// server.
func (d *Definition) Refreshed(response, prior Value) Value {
	state, _ := completer{source: fromServer}.complete(d.root, response, prior)
	return d.derived(state, prior, d.root.null())
}

// derived sets the derived values in a complete object, except for those that the
// configuration sets, known or not.
func (d *Definition) derived(value, prior, config Value) Value {
	if d.schema.Derive == nil {
		return value
	}
	fields := fieldsCopy(value)
	values := d.schema.Derive(value, prior)
	d.root.checkNames(maps.Keys(values))
	for name, v := range values {
		if n, has := d.root.fields[name]; has && !isSet(n.fieldOf(FieldsOf(config))) {
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
	case !planned.IsKnown() && isSet(from) && from.IsFullyKnown() && (!n.emptyIsNull() || !n.isUnset(from)):
		return from
	case !planned.IsKnown() && n.Presence == Computed && n.Default != nil:
		return n.fallback
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
	case ObjectList, ObjectMap:
		return n.mapElements(planned, func(at path.PathStep, element Value) Value { return fill(n.element, element, n.elementAt(from, at)) })
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
