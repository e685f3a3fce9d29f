package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Object is an object in a configuration or state; missing attributes are null.
type Object = map[string]any

// With returns a copy of an object with other or additional attributes.
func With[T ~map[string]any](object, more T) T {
	out := maps.Clone(object)
	maps.Copy(out, more)
	return out
}

// Unknown is an unknown value.
type Unknown struct{}

// Value converts Go values to a value of a type: Object for objects and maps,
// slices of any, strings, numbers, booleans, nil for null, Unknown{}, and
// tftypes values. An unknown attribute name ends the test.
func Value(kind tftypes.Type, from any) tftypes.Value {
	switch from := from.(type) {
	case nil:
		return tftypes.NewValue(kind, nil)
	case Unknown:
		return tftypes.NewValue(kind, tftypes.UnknownValue)
	case tftypes.Value:
		return from
	case json.Number:
		number, _, err := big.ParseFloat(from.String(), 10, 512, big.ToNearestEven)
		must(err)
		return tftypes.NewValue(kind, number)
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		return objectValue(kind, as[Object](from, kind))
	case tftypes.List:
		list := as[[]any](from, kind)
		elements := make([]tftypes.Value, len(list))
		for i := range list {
			elements[i] = Value(kind.ElementType, list[i])
		}
		return tftypes.NewValue(kind, elements)
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		for name, element := range as[Object](from, kind) {
			elements[name] = Value(kind.ElementType, element)
		}
		return tftypes.NewValue(kind, elements)
	}
	return tftypes.NewValue(kind, from)
}

func as[T any](from any, kind tftypes.Type) T {
	value, ok := from.(T)
	if !ok {
		panic(fmt.Sprintf("%T for %s", from, kind))
	}
	return value
}

func objectValue(kind tftypes.Object, object Object) tftypes.Value {
	fields := make(map[string]tftypes.Value, len(kind.AttributeTypes))
	for name, field := range kind.AttributeTypes {
		fields[name] = Value(field, object[name])
	}
	for name := range object {
		if _, ok := fields[name]; !ok {
			panic("there is no attribute " + name)
		}
	}
	return tftypes.NewValue(kind, fields)
}

// Plain converts a known value to Go values; numbers are json.Number.
func Plain(value tftypes.Value) any {
	if value.IsNull() {
		return nil
	}
	switch kind := value.Type(); {
	case kind.Is(tftypes.Object{}), kind.Is(tftypes.Map{}):
		plain := Object{}
		for name, field := range Fields(value) {
			plain[name] = Plain(field)
		}
		return plain
	case kind.Is(tftypes.List{}):
		plain := []any{}
		for _, element := range Elements(value) {
			plain = append(plain, Plain(element))
		}
		return plain
	case kind.Is(tftypes.Bool):
		var is bool
		must(value.As(&is))
		return is
	case kind.Is(tftypes.Number):
		number := new(big.Float)
		must(value.As(&number))
		return json.Number(number.Text('f', -1))
	default:
		return Text(value)
	}
}

// JSON is a value as in the state file.
func JSON(value tftypes.Value) []byte {
	text, err := json.Marshal(Plain(value))
	must(err)
	return text
}

// Fields are the attributes of an object; nil for null and unknown.
func Fields(object tftypes.Value) map[string]tftypes.Value {
	var values map[string]tftypes.Value
	if !object.IsNull() && object.IsKnown() {
		must(object.As(&values))
	}
	return values
}

// Elements are the elements of a list; nil for null and unknown.
func Elements(list tftypes.Value) []tftypes.Value {
	var values []tftypes.Value
	if !list.IsNull() && list.IsKnown() {
		must(list.As(&values))
	}
	return values
}

// Text is a known string.
func Text(value tftypes.Value) string {
	var text string
	must(value.As(&text))
	return text
}

// Encode encodes a value for the protocol.
func Encode(value tftypes.Value) *tfprotov6.DynamicValue {
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	must(err)
	return &encoded
}

// Decode decodes a value of the protocol; nil is null.
func Decode(kind tftypes.Type, value *tfprotov6.DynamicValue) tftypes.Value {
	if value == nil {
		return tftypes.NewValue(kind, nil)
	}
	decoded, err := value.Unmarshal(kind)
	must(err)
	return decoded
}

// must panics on errors that only a mistake in the test itself can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
