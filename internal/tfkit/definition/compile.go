package definition

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Definition is a compiled Schema. It is safe for concurrent use.
type Definition struct {
	schema Schema
	root   *node
	// shallow is the same with shallow types.
	shallow func() *Definition
}

// New compiles a schema. A mistake in it panics when the provider starts.
func New(schema Schema) *Definition { return compiler{}.definition(schema) }

// Shallow compiles the same schema for values whose types do not contain the
// types of nested attributes, because tftypes compares those again at each level.
// Its values must not be used with another Definition, nor with the framework.
func (d *Definition) Shallow() *Definition { return d.shallow() }

// of returns the definition of which a value is, of the two.
func (d *Definition) of(value Value) *Definition {
	object, _ := value.Type().(tftypes.Object)
	for _, kind := range object.AttributeTypes {
		if kind.Is(dynamicType) {
			return d.shallow()
		}
	}
	return d
}

// Type is the type of configuration, plan and state.
func (d *Definition) Type() tftypes.Object {
	object, _ := d.root.tfType.(tftypes.Object)
	return object
}

// Attribute returns the declaration of a top-level attribute.
func (d *Definition) Attribute(name string) (attribute Attribute, ok bool) {
	n, ok := d.root.fields[name]
	if !ok {
		return Attribute{}, false
	}
	return n.Attribute, true
}

// Attributes are the declarations of the top-level attributes, sorted by name,
// including timeouts and those of write-only alternatives.
func (d *Definition) Attributes() []Attribute {
	rows := make([]Attribute, len(d.root.names))
	for i, name := range d.root.names {
		rows[i] = d.root.fields[name].Attribute
	}
	return rows
}

// Part is the definition of a nested object, or of those in a list or map. A name that is no such
// attribute panics.
func (d *Definition) Part(name string) *Definition {
	n := d.root.fields[name]
	switch {
	case n != nil && n.element != nil:
		return &Definition{root: n.element}
	case n != nil && n.fields != nil:
		return &Definition{root: n}
	}
	panic(fmt.Sprintf("%q is no nested object: there are %q", name, d.root.names))
}

// Null is the state of an object that does not exist.
func (d *Definition) Null() Value { return d.root.null() }

// writeOnlyRole distinguishes the three attributes of a string with a write-only
// alternative.
type writeOnlyRole int

const (
	plain writeOnlyRole = iota
	hasWriteOnlySibling
	writeOnly
	version
)

// The suffixes of a write-only attribute and its version, and the lowest
// version. unknownVersion, which is lower, is stored when it is unknown which
// value the server has, so that the next plan shows a difference.
const (
	suffixWO       = "_wo"
	suffixVersion  = "_wo_version"
	minVersion     = 1
	unknownVersion = 0
)

// node is a compiled attribute.
type node struct {
	Attribute
	tfType tftypes.Type
	role   writeOnlyRole
	// fields are the attributes of an object; names are their names, sorted, and inOrder they in that order.
	fields  map[string]*node
	names   []string
	inOrder []*node
	// fallback is the default, null if there is none, and empty the value that is equivalent to
	// leaving the attribute out.
	fallback, empty Value
	// omits are names that a Tree may have besides.
	omits []string
	// element is the node of each object in a list or map.
	element *node
	// hasWriteOnly is set if the attribute contains a string with a write-only
	// alternative.
	hasWriteOnly bool
	// hasRefused is set if the attribute is Refused, or contains one that is.
	hasRefused bool
	// hasSince is set if the attribute needs a version, or contains one that does.
	hasSince bool
}

// compiler compiles attributes; for shallow see Definition.Shallow.
type compiler struct{ shallow bool }

func (c compiler) definition(schema Schema) *Definition {
	all := slices.Concat(schema.Attributes, schema.Timeouts.attributes())
	d := &Definition{schema: schema, root: c.object(Attribute{Type: Object, Attributes: all})}
	d.shallow = sync.OnceValue(func() *Definition { return compiler{shallow: true}.definition(schema) })
	for _, a := range schema.DataSource {
		d.root.omits = append(d.root.omits, a.Name)
	}
	if schema.PartOf != nil {
		d.root.omit(schema.PartOf.root)
	}
	return d
}

// omit notes the names of a whole object that its part, the node, lacks.
func (n *node) omit(whole *node) {
	n.omits = append(n.omits, whole.omits...)
	n.omits = append(n.omits, whole.names...)
	for name, field := range n.fields {
		if other := whole.fields[name]; other != nil {
			field.omit(other)
		}
	}
	if n.element != nil && whole.element != nil {
		n.element.omit(whole.element)
	}
}

// inner is the type of a node within the type of the list, map or object that has it.
func (c compiler) inner(n *node) tftypes.Type {
	switch n.Attribute.Type {
	case String, Number, Bool:
		return n.tfType
	}
	if c.shallow {
		return tftypes.DynamicPseudoType
	}
	return n.tfType
}

func (c compiler) node(a Attribute) *node {
	a.Description += sinceText(a.Since)
	n := &node{Attribute: a, hasRefused: a.Refused != "", hasSince: len(a.Since) > 0}
	switch a.Type {
	case String:
		n.tfType = tftypes.String
	case Number:
		n.tfType = tftypes.Number
	case Bool:
		n.tfType = tftypes.Bool
	case StringList:
		n.tfType = tftypes.List{ElementType: tftypes.String}
	case StringMap:
		n.tfType = tftypes.Map{ElementType: tftypes.String}
	case Object:
		return c.object(a)
	case ObjectList, ObjectMap:
		n.element = c.object(Attribute{Name: a.Name, Type: Object, Attributes: a.Attributes})
		n.tfType = tftypes.List{ElementType: c.inner(n.element)}
		if a.Type == ObjectMap {
			n.tfType = tftypes.Map{ElementType: c.inner(n.element)}
		}
		n.hasWriteOnly, n.hasRefused = n.element.hasWriteOnly, n.element.hasRefused
		n.hasSince = n.hasSince || n.element.hasSince
		n.checkIdentity()
	default:
		panic(fmt.Sprintf("attribute %q has no type", a.Name))
	}
	return n
}

// checkIdentity panics for attributes whose values belong to an object, not to the key
// in the prior state.
func (n *node) checkIdentity() {
	for _, field := range n.element.fields {
		if len(n.IdentifiedBy) > 0 && (field.Presence == ServerDefault || field.Presence == Computed && !field.Local || n.hasWriteOnly) {
			panic(fmt.Sprintf("attribute %q is in a map whose keys may be renamed: it cannot be chosen by the server or write-only", field.Name))
		}
	}
}

// checkDefault panics for a default of another type.
func (n *node) checkDefault() {
	ok := n.Default == nil
	switch n.Default.(type) {
	case string:
		ok = n.Attribute.Type == String
	case int64:
		ok = n.Attribute.Type == Number
	case bool:
		ok = n.Attribute.Type == Bool
	case Tree:
		ok = n.fields != nil || n.Attribute.Type == StringMap || n.Attribute.Type == ObjectMap
	}
	if !ok {
		panic(fmt.Sprintf("attribute %q has a %T as its default", n.Name, n.Default))
	}
}

func (c compiler) object(a Attribute) *node {
	n := &node{Attribute: a, fields: map[string]*node{}, hasSince: len(a.Since) > 0}
	types := map[string]tftypes.Type{}
	for _, row := range a.Attributes {
		for _, field := range c.expand(row) {
			if n.fields[field.Name] != nil || field.Name == "" {
				panic(fmt.Sprintf("attribute %q is declared twice, or has no name", field.Name))
			}
			n.fields[field.Name] = field
			n.hasWriteOnly = n.hasWriteOnly || field.hasWriteOnly || field.role == hasWriteOnlySibling
			n.hasRefused = n.hasRefused || field.hasRefused
			n.hasSince = n.hasSince || field.hasSince
			types[field.Name] = c.inner(field)
		}
	}
	n.names = slices.Sorted(maps.Keys(n.fields))
	for _, name := range n.names {
		n.inOrder = append(n.inOrder, n.fields[name])
	}
	n.tfType = tftypes.Object{AttributeTypes: types}
	for _, field := range n.fields {
		n.checkNames(slices.Values(field.Alternatives))
		if field.SameAsEmpty != "" {
			n.checkNames(slices.Values([]string{field.SameAsEmpty}))
		}
		if field.element != nil {
			field.element.checkNames(slices.Values(field.IdentifiedBy))
		}
		field.checkDefault()
		field.fallback, field.empty = field.encode(field.Default), field.withoutValue()
	}
	return n
}

// expand returns the nodes of an attribute: one, or three if it has a
// write-only alternative.
func (c compiler) expand(row Attribute) []*node {
	main := c.node(row)
	if main.hasWriteOnly && row.Presence != Required && row.Presence != Nullable {
		// The framework allows no write-only attribute inside of a computed
		// one.
		panic(fmt.Sprintf("attribute %q has a write-only attribute within: declare it Required or Nullable", row.Name))
	}
	if !row.WriteOnly {
		return []*node{main}
	}
	if row.Type != String || row.Presence != Optional && row.Presence != Nullable {
		panic(fmt.Sprintf("attribute %q has a write-only alternative, but is not an optional string", row.Name))
	}
	main.role, main.Sensitive = hasWriteOnlySibling, !row.Readable
	hidden := c.node(Attribute{
		Name: row.Name + suffixWO, Type: String, Presence: Nullable, Sensitive: !row.Readable,
		Description: fmt.Sprintf("The same as `%s`, not stored in state or plan files (write-only, Terraform 1.11 or OpenTofu 1.11). Conflicts with `%[1]s`, and needs `%[1]s%s`. Null beside the version of the last apply, as with `ignore_changes`, leaves the value as it is.", row.Name, suffixVersion),
	})
	hidden.role = writeOnly
	number := c.node(Attribute{
		Name: row.Name + suffixVersion, Type: Number, Presence: Nullable,
		Description: fmt.Sprintf("Version of `%s%s`, a whole number from %d. Terraform cannot detect a change of that text; increase the version to send it.", row.Name, suffixWO, minVersion),
	})
	number.role = version
	return []*node{main, hidden, number}
}

// null is a null value of the node's type.
func (n *node) null() Value { return tftypes.NewValue(n.tfType, nil) }

// hasImportDefault reports whether an attribute that only the state has, or null, has a default
// after an import. It is also computed, so that a plan may keep it although the configuration
// leaves it out.
func (n *node) hasImportDefault() bool {
	return n.Local && n.Presence == Nullable && n.Default != nil
}

// unknown is an unknown value of the node's type.
func (n *node) unknown() Value { return tftypes.NewValue(n.tfType, tftypes.UnknownValue) }

// fieldOf returns the value of the node among the fields of an object, null if it is missing.
func (n *node) fieldOf(fields map[string]Value) Value {
	if value, ok := fields[n.Name]; ok {
		return value
	}
	return n.null()
}

// versionOf returns the version of a string with a write-only alternative.
func (n *node) versionOf(fields map[string]Value) Value { return fields[n.Name+suffixVersion] }

// withoutValue is the value that is equivalent to leaving an attribute out.
func (n *node) withoutValue() Value {
	if n.Presence == Nullable {
		return n.null()
	}
	switch n.Attribute.Type {
	case String:
		text, _ := n.Default.(string)
		return StringValue(text)
	case Number:
		number, _ := n.Default.(int64)
		return NumberValue(number)
	case Bool:
		is, _ := n.Default.(bool)
		return tftypes.NewValue(tftypes.Bool, is)
	case StringMap, ObjectMap:
		return tftypes.NewValue(n.tfType, map[string]Value{})
	case Object:
		values := make(map[string]Value, len(n.fields))
		for name, field := range n.fields {
			values[name] = field.empty
		}
		return tftypes.NewValue(n.tfType, values)
	default:
		return tftypes.NewValue(n.tfType, []Value{})
	}
}

// noObjectIsNull reports whether an object that the server does not have is null: it chooses the object as
// a whole, so that one of empty values would be another object.
func (n *node) noObjectIsNull() bool {
	return n.fields != nil && (n.Presence == ServerDefault || n.Presence == Computed)
}

// emptyIsNull reports whether plan and state have null for an empty value. A Computed
// one is a fact, which configurations use in texts and loops.
func (n *node) emptyIsNull() bool {
	return n.Presence == Optional || n.Presence == ServerDefault && n.Attribute.Type == String
}

// isUnset reports whether a value is empty, with no default that replaces it.
func (n *node) isUnset(v Value) bool {
	if n.Presence == Nullable {
		return v.IsNull()
	}
	if n.Default != nil || n.fields == nil || v.IsNull() || !v.IsKnown() {
		return n.Default == nil && (IsEmpty(v) || n.Attribute.Type == String && v.IsKnown() && n.sameLeaf(v, n.null()))
	}
	for name, value := range FieldsOf(v) {
		if !n.fields[name].isUnset(value) {
			return false
		}
	}
	return true
}

// sameLeaf reports whether two known values of an attribute without nested
// attributes are semantically equal.
func (n *node) sameLeaf(a, b Value) bool {
	if n.Presence == Nullable && a.IsNull() != b.IsNull() {
		return false
	}
	if n.Attribute.Type == String {
		x, y := n.textOf(a), n.textOf(b)
		return x == y || n.SemanticEquality != nil && n.SemanticEquality(x, y)
	}
	if a.IsNull() {
		a = n.empty
	}
	if b.IsNull() {
		b = n.empty
	}
	same := func(x, y Value) bool { return Equal(x, y) || n.SemanticEquality(StringOf(x), StringOf(y)) }
	switch {
	case n.SemanticEquality == nil:
	case n.Attribute.Type == StringMap:
		return maps.EqualFunc(FieldsOf(a), FieldsOf(b), same)
	case n.Attribute.Type == StringList:
		return slices.EqualFunc(ElementsOf(a), ElementsOf(b), same)
	}
	return Equal(a, b)
}

// textOf returns a string; the default replaces null and "".
func (n *node) textOf(v Value) string {
	if s := StringOf(v); s != "" {
		return s
	}
	fallback, _ := n.Default.(string)
	return fallback
}

// bothStandForEmpty reports whether a string is equivalent to "" in both
// objects, see Attribute.SameAsEmpty.
func (n *node) bothStandForEmpty(a, b map[string]Value) bool {
	if n.SameAsEmpty == "" {
		return false
	}
	empty := func(fields map[string]Value) bool {
		value, other := n.fieldOf(fields), fields[n.SameAsEmpty]
		if fields == nil || !value.IsKnown() || !isSet(other) {
			return false
		}
		return StringOf(value) == "" || other.IsKnown() && StringOf(value) == StringOf(other)
	}
	return empty(a) && empty(b)
}

// at returns the node at a path, nil if there is none.
func (n *node) at(where path.Path) *node {
	for _, step := range where.Steps() {
		if n == nil {
			return nil
		}
		switch step := step.(type) {
		case path.PathStepAttributeName:
			n = n.fields[string(step)]
		case path.PathStepElementKeyInt, path.PathStepElementKeyString:
			if n.element != nil {
				n = n.element
			}
		}
	}
	return n
}
