package definition

import (
	"maps"
	"math/big"
	"reflect"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Value is a Terraform value: known, null or unknown.
type Value = tftypes.Value

// StringOf returns a string; null and unknown are "".
func StringOf(v Value) string { return textsRead.of(v) }

// reading reads values of a type without a new variable for each, which As would move to the heap.
type reading[T any] struct{ pool sync.Pool }

var (
	textsRead    reading[string]
	objectsRead  reading[map[string]Value]
	elementsRead reading[[]Value]
)

// of returns a known value, else the zero value.
func (r *reading[T]) of(v Value) (read T) {
	if !v.IsKnown() || v.IsNull() {
		return read
	}
	to, ok := r.pool.Get().(*T)
	if !ok {
		to = new(T)
	}
	var none T
	*to = none
	_ = v.As(to) // which fails only for values of another type
	read, *to = *to, none
	r.pool.Put(to)
	return read
}

// At returns an attribute of an object, the zero value if the object is missing. A name that is
// no attribute is a mistake in the code and panics.
func At(object Value, name string) Value {
	value, _ := Reader{fields: FieldsOf(object)}.field(name)
	return value
}

// StringAt returns a string attribute of an object; null and unknown are "".
func StringAt(object Value, name string) string { return StringOf(At(object, name)) }

// BoolOf returns a bool; null and unknown are false.
func BoolOf(v Value) bool {
	var b bool
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&b)
	}
	return b
}

// numbersRead are numbers to read values into, as in reading: a number that is read again keeps its memory.
var numbersRead = sync.Pool{New: func() any { return new(big.Float) }}

// NumberOf returns a number, and whether it is a whole number in the range of
// int64. Null and unknown are 0.
func NumberOf(v Value) (n int64, whole bool) {
	if !v.IsKnown() || v.IsNull() {
		return 0, true
	}
	f, _ := numbersRead.Get().(*big.Float)
	defer numbersRead.Put(f)
	if v.As(f) != nil {
		return 0, true
	}
	n, accuracy := f.Int64()
	return n, accuracy == big.Exact
}

// sameNumber compares two known numbers.
func sameNumber(a, b Value) bool {
	x, _ := numbersRead.Get().(*big.Float)
	defer numbersRead.Put(x)
	y, _ := numbersRead.Get().(*big.Float)
	defer numbersRead.Put(y)
	return a.As(x) == nil && b.As(y) == nil && x.Cmp(y) == 0
}

// NumberText returns a number as a text, for messages.
func NumberText(v Value) string {
	f := new(big.Float)
	if !v.IsKnown() || v.IsNull() || v.As(&f) != nil {
		return "not a number"
	}
	return f.Text('g', 12)
}

// FieldsOf returns the attributes of a known object or map, else nil. The map
// is shared with the value and must not be changed.
func FieldsOf(v Value) map[string]Value { return objectsRead.of(v) }

// ElementsOf returns the elements of a known list, else nil. The slice is
// shared with the value and must not be changed.
func ElementsOf(v Value) []Value { return elementsRead.of(v) }

// fieldsCopy returns a copy of the attributes.
func fieldsCopy(v Value) map[string]Value { return maps.Clone(FieldsOf(v)) }

// elementsCopy returns a copy of the elements.
func elementsCopy(v Value) []Value { return slices.Clone(ElementsOf(v)) }

// NumberValue returns a number value.
func NumberValue(n int64) Value {
	return tftypes.NewValue(numberType, new(big.Float).SetInt64(n))
}

// Int64Of returns a whole number, which may be unknown or null. Any other is unknown, so that no
// check uses it besides the one that refuses it.
func Int64Of(v Value) types.Int64 {
	n, whole := NumberOf(v)
	switch {
	case !v.IsKnown() || !whole:
		return types.Int64Unknown()
	case v.IsNull():
		return types.Int64Null()
	}
	return types.Int64Value(n)
}

// Int64Value converts a whole number that may be unknown or null.
func Int64Value(n types.Int64) Value {
	switch {
	case n.IsUnknown():
		return tftypes.NewValue(numberType, tftypes.UnknownValue)
	case n.IsNull():
		return tftypes.NewValue(numberType, nil)
	}
	return NumberValue(n.ValueInt64())
}

// StringValue returns a string value.
func StringValue(text string) Value { return tftypes.NewValue(stringType, text) }

// BoolValue returns a bool value.
func BoolValue(is bool) Value { return tftypes.NewValue(boolType, is) }

// NullBool is a null bool.
func NullBool() Value { return tftypes.NewValue(boolType, nil) }

// UnknownString is an unknown string.
func UnknownString() Value { return tftypes.NewValue(stringType, tftypes.UnknownValue) }

// isSet reports whether a value, known or unknown, is not null.
func isSet(v Value) bool { return v.Type() != nil && (!v.IsKnown() || !v.IsNull()) }

// IsEmpty reports whether a known value is null, "", 0, false or has no
// elements.
func IsEmpty(v Value) bool {
	if !isSet(v) {
		return true
	}
	if !v.IsKnown() {
		return false
	}
	switch kind := v.Type().(type) {
	case tftypes.Map:
		return len(FieldsOf(v)) == 0
	case tftypes.Object:
		return false
	default:
		switch {
		case kind.Is(stringType):
			return StringOf(v) == ""
		case kind.Is(boolType):
			return !BoolOf(v)
		case kind.Is(numberType):
			n, whole := NumberOf(v)
			return whole && n == 0
		}
		return len(ElementsOf(v)) == 0
	}
}

// Equal reports whether two values of the same type are identical. Unlike
// Value.Equal, it does not build the path of every part.
func Equal(a, b Value) bool {
	switch {
	case a.IsKnown() != b.IsKnown() || a.IsNull() != b.IsNull():
		return false
	case !a.IsKnown() || a.IsNull():
		return true
	}
	switch kind := a.Type().(type) {
	case tftypes.Map, tftypes.Object:
		return sameFields(FieldsOf(a), FieldsOf(b))
	case tftypes.List:
		return slices.EqualFunc(ElementsOf(a), ElementsOf(b), Equal)
	default:
		switch {
		case kind.Is(stringType):
			return StringOf(a) == StringOf(b)
		case kind.Is(boolType):
			return BoolOf(a) == BoolOf(b)
		case kind.Is(numberType):
			return sameNumber(a, b)
		}
		return a.Equal(b)
	}
}

// sameFields compares the attributes of two objects or maps, which often are the same ones.
func sameFields(a, b map[string]Value) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer() || maps.EqualFunc(a, b, Equal)
}

// Types as interfaces, so that comparing with them does not allocate.
var stringType, numberType, boolType, dynamicType tftypes.Type = tftypes.String, tftypes.Number, tftypes.Bool, tftypes.DynamicPseudoType
