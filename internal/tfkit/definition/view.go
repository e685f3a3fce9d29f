package definition

import (
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// View reads the attributes of an object by name where it matters that a value is null or
// unknown, as in the rules of a plan; a Reader is for the conversion to the wire type. The zero
// View is a missing object: all its attributes are null. A name that is no attribute, or an
// attribute of another type, panics.
type View struct {
	object Value
	fields map[string]Value
	// changed is set if fields are not those of object.
	changed bool
}

// ViewOf is a view of an object.
func ViewOf(object Value) View { return View{object: object, fields: FieldsOf(object)} }

// Value is the object.
func (v View) Value() Value {
	if v.changed {
		return tftypes.NewValue(v.object.Type(), v.fields)
	}
	return v.object
}

// IsNull reports whether there is no object.
func (v View) IsNull() bool { return v.object.IsNull() }

// IsUnknown reports whether the object is unknown as a whole.
func (v View) IsUnknown() bool { return !v.object.IsKnown() }

// Equal reports whether two objects are identical.
func (v View) Equal(other View) bool {
	if v.fields == nil || other.fields == nil {
		return Equal(v.object, other.object)
	}
	return sameFields(v.fields, other.fields)
}

// WithValue returns a view of a known object with another value of an attribute; one without a type is null.
func (v View) WithValue(name string, value Value) View {
	return v.withFields(v.changing(nil, name, value))
}

// WithValues is WithValue for several attributes.
func (v View) WithValues(attributes map[string]Value) View {
	var changed map[string]Value
	for name, value := range attributes {
		changed = v.changing(changed, name, value)
	}
	return v.withFields(changed)
}

// changing returns the changed fields, nil as long as there are none, with another value of an attribute.
func (v View) changing(fields map[string]Value, name string, value Value) map[string]Value {
	before, ok := Reader{fields: v.fields}.field(name)
	switch {
	case !ok:
		panic(fmt.Sprintf("a missing object cannot have %q", name))
	case value.Type() == nil:
		value = tftypes.NewValue(before.Type(), nil)
	}
	if Equal(value, before) {
		return fields
	}
	if fields == nil {
		fields = maps.Clone(v.fields)
	}
	object, _ := v.object.Type().(tftypes.Object)
	fields[name] = conform(value, object.AttributeTypes[name])
	return fields
}

// withFields returns the view with the fields if these have changed.
func (v View) withFields(changed map[string]Value) View {
	if changed != nil {
		v.fields, v.changed = changed, true
	}
	return v
}

// WithAttribute is WithValue for a value of the framework, which is converted only if it is another one.
func (v View) WithAttribute(name string, value attr.Value) View {
	if v.fields != nil && !value.IsUnknown() && v.has(name, value) {
		return v
	}
	return v.WithValue(name, ValueOf(value))
}

// has reports whether an attribute of a basic type has a value.
func (v View) has(name string, value attr.Value) bool {
	switch value := value.(type) {
	case types.String:
		return v.String(name) == value
	case types.Bool:
		return v.Bool(name) == value
	case types.Int64:
		return v.Int64(name) == value
	case types.Int32:
		return v.Int32(name) == value
	}
	return false
}

// conform returns a value of another Definition of the same schema with a type: see Shallow.
func conform(value Value, kind tftypes.Type) Value {
	if isSameType(value.Type(), kind) || value.Type().UsableAs(kind) {
		return value
	}
	switch {
	case !value.IsKnown():
		return tftypes.NewValue(kind, tftypes.UnknownValue)
	case value.IsNull():
		return tftypes.NewValue(kind, nil)
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		fields := fieldsCopy(value)
		for name, field := range fields {
			fields[name] = conform(field, kind.AttributeTypes[name])
		}
		return tftypes.NewValue(kind, fields)
	case tftypes.Map:
		elements := fieldsCopy(value)
		for key, element := range elements {
			elements[key] = conform(element, kind.ElementType)
		}
		return tftypes.NewValue(kind, elements)
	}
	return value
}

// isSameType reports whether two types come from the same Definition, which UsableAs would compare part
// by part.
func isSameType(a, b tftypes.Type) bool {
	switch a := a.(type) {
	case tftypes.Object:
		b, ok := b.(tftypes.Object)
		return ok && reflect.ValueOf(a.AttributeTypes).UnsafePointer() == reflect.ValueOf(b.AttributeTypes).UnsafePointer()
	case tftypes.Map:
		b, ok := b.(tftypes.Map)
		return ok && isSameType(a.ElementType, b.ElementType)
	}
	return false
}

// MapOf is a map of such objects.
func (d *Definition) MapOf(elements map[string]Value) Value {
	kind := tftypes.Map{ElementType: d.root.tfType}
	conforming := make(map[string]Value, len(elements))
	for key, element := range elements {
		conforming[key] = conform(element, d.root.tfType)
	}
	return tftypes.NewValue(kind, conforming)
}

// At returns an attribute of any type.
func (v View) At(name string) Value {
	value, _ := Reader{fields: v.fields}.field(name)
	return value
}

// of returns an attribute of a type.
func (v View) of(t Type, name string) (Value, attr.ValueState) {
	value := Reader{fields: v.fields}.typed(t, name)
	return value, stateOf(value)
}

// String returns a string.
func (v View) String(name string) types.String {
	switch value, state := v.of(String, name); state {
	case attr.ValueStateUnknown:
		return types.StringUnknown()
	case attr.ValueStateNull:
		return types.StringNull()
	default:
		return types.StringValue(StringOf(value))
	}
}

// Bool returns a bool.
func (v View) Bool(name string) types.Bool {
	switch value, state := v.of(Bool, name); state {
	case attr.ValueStateUnknown:
		return types.BoolUnknown()
	case attr.ValueStateNull:
		return types.BoolNull()
	default:
		return types.BoolValue(BoolOf(value))
	}
}

// Int64 returns a whole number; any other is unknown, see Int64Of.
func (v View) Int64(name string) types.Int64 {
	value, _ := v.of(Number, name)
	return Int64Of(value)
}

// Int32 is Int64 for numbers of 32 bits.
func (v View) Int32(name string) types.Int32 {
	n := v.Int64(name)
	switch {
	case n.IsNull():
		return types.Int32Null()
	case n.IsUnknown() || n.ValueInt64() < math.MinInt32 || n.ValueInt64() > math.MaxInt32:
		return types.Int32Unknown()
	}
	return types.Int32Value(int32(n.ValueInt64())) //nolint:gosec // it is in range
}

// StringMap returns a map of strings.
func (v View) StringMap(name string) types.Map {
	value, state := v.of(StringMap, name)
	switch state {
	case attr.ValueStateUnknown:
		return types.MapUnknown(types.StringType)
	case attr.ValueStateNull:
		return types.MapNull(types.StringType)
	}
	all := View{fields: FieldsOf(value)}
	elements := make(map[string]attr.Value, len(all.fields))
	for key := range all.fields {
		elements[key] = all.String(key)
	}
	return types.MapValueMust(types.StringType, elements)
}

// Object returns a nested object.
func (v View) Object(name string) View {
	value, _ := v.of(Object, name)
	return ViewOf(value)
}

func stateOf(value Value) attr.ValueState {
	switch {
	case !value.IsKnown():
		return attr.ValueStateUnknown
	case value.IsNull():
		return attr.ValueStateNull
	}
	return attr.ValueStateKnown
}

// ValueOf converts a value of the framework.
func ValueOf(of attr.Value) Value {
	switch of := of.(type) {
	case types.String:
		if !of.IsNull() && !of.IsUnknown() {
			return StringValue(of.ValueString())
		}
	case types.Int64:
		return Int64Value(of)
	}
	value, err := of.ToTerraformValue(context.Background())
	if err != nil {
		panic(fmt.Sprintf("%s cannot be converted: %s", of, err)) // only one of a broken type
	}
	return value
}
