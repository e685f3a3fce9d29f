package provider_test

import (
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// failer is a test, a benchmark or a property that is checked.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// unknown stands for a value that is not known yet.
type unknown struct{}

// valueOf is a value of a type. What an object leaves out is null.
func valueOf(kind tftypes.Type, from any) tftypes.Value {
	switch from.(type) {
	case nil:
		return tftypes.NewValue(kind, nil)
	case unknown:
		return tftypes.NewValue(kind, tftypes.UnknownValue)
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		object, _ := from.(map[string]any)
		fields := map[string]tftypes.Value{}
		for name, field := range kind.AttributeTypes {
			fields[name] = valueOf(field, object[name])
		}
		return tftypes.NewValue(kind, fields)
	case tftypes.List:
		list, _ := from.([]any)
		elements := make([]tftypes.Value, len(list))
		for i := range list {
			elements[i] = valueOf(kind.ElementType, list[i])
		}
		return tftypes.NewValue(kind, elements)
	case tftypes.Map:
		object, _ := from.(map[string]any)
		elements := map[string]tftypes.Value{}
		for name, element := range object {
			elements[name] = valueOf(kind.ElementType, element)
		}
		return tftypes.NewValue(kind, elements)
	}
	return tftypes.NewValue(kind, from)
}

// plainOf is valueOf backwards.
func plainOf(t failer, value tftypes.Value) any {
	t.Helper()
	if value.IsNull() {
		return nil
	}
	as := func(into any) {
		if err := value.As(into); err != nil {
			t.Fatal(err)
		}
	}
	switch kind := value.Type(); {
	case kind.Is(tftypes.Object{}), kind.Is(tftypes.Map{}):
		var fields map[string]tftypes.Value
		as(&fields)
		plain := map[string]any{}
		for name, field := range fields {
			plain[name] = plainOf(t, field)
		}
		return plain
	case kind.Is(tftypes.List{}):
		var elements []tftypes.Value
		as(&elements)
		plain := make([]any, len(elements))
		for i := range elements {
			plain[i] = plainOf(t, elements[i])
		}
		return plain
	case kind.Is(tftypes.Bool):
		var is bool
		as(&is)
		return is
	case kind.Is(tftypes.Number):
		number := new(big.Float)
		as(&number)
		float, _ := number.Float64()
		return float
	}
	var text string
	as(&text)
	return text
}

func encode(t failer, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

func check(t failer, err error, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diags {
		t.Fatalf("%s: %s (%s)", d.Summary, d.Detail, d.Attribute)
	}
}

// decodedAs is a value of the protocol, null if there is none.
func decodedAs(t failer, kind tftypes.Type, value *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	if value == nil {
		return tftypes.NewValue(kind, nil)
	}
	decoded, err := value.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}
