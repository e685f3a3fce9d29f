package faulttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// attrs is an object in a configuration; what it leaves out is null.
type attrs = map[string]any

// unknown stands in a configuration for what is known only after apply.
type unknown struct{}

// build makes a value of a type out of Go values: attrs and maps, slices of
// any, strings, numbers, booleans, nil for null, unknown{}.
func build(of tftypes.Type, from any) tftypes.Value {
	switch from := from.(type) {
	case nil:
		return tftypes.NewValue(of, nil)
	case unknown:
		return tftypes.NewValue(of, tftypes.UnknownValue)
	case tftypes.Value:
		return from
	case int:
		return tftypes.NewValue(of, int64(from))
	}
	switch of := of.(type) {
	case tftypes.Object:
		given := from.(attrs)
		values := make(map[string]tftypes.Value, len(of.AttributeTypes))
		for name, attribute := range of.AttributeTypes {
			values[name] = build(attribute, given[name])
		}
		for name := range given {
			if _, found := values[name]; !found {
				panic("no attribute " + name)
			}
		}
		return tftypes.NewValue(of, values)
	case tftypes.Map:
		values := map[string]tftypes.Value{}
		for name, element := range from.(attrs) {
			values[name] = build(of.ElementType, element)
		}
		return tftypes.NewValue(of, values)
	case tftypes.List:
		values := []tftypes.Value{}
		for _, element := range from.([]any) {
			values = append(values, build(of.ElementType, element))
		}
		return tftypes.NewValue(of, values)
	}
	return tftypes.NewValue(of, from)
}

// fields are the attributes of an object; none of a null or unknown one.
func fields(object tftypes.Value) map[string]tftypes.Value {
	var values map[string]tftypes.Value
	if !object.IsNull() && object.IsKnown() {
		must(object.As(&values))
	}
	return values
}

func elements(list tftypes.Value) []tftypes.Value {
	var values []tftypes.Value
	if !list.IsNull() && list.IsKnown() {
		must(list.As(&values))
	}
	return values
}

// proposed is what the CLI proposes as the new state: the configuration, with
// the prior values of computed attributes that are left out.
func proposed(attributes []*tfprotov6.SchemaAttribute, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() || !config.IsKnown() {
		return config
	}
	before, given := fields(prior), fields(config)
	values := make(map[string]tftypes.Value, len(attributes))
	for _, attribute := range attributes {
		old, found := before[attribute.Name]
		if !found {
			old = tftypes.NewValue(attribute.ValueType(), nil)
		}
		value := given[attribute.Name]
		switch {
		case value.IsNull() && attribute.Computed:
			value = old
		case attribute.NestedType != nil:
			value = proposedNested(attribute.NestedType, old, value)
		}
		values[attribute.Name] = value
	}
	return tftypes.NewValue(config.Type(), values)
}

func proposedNested(of *tfprotov6.SchemaObject, prior, config tftypes.Value) tftypes.Value {
	switch {
	case config.IsNull() || !config.IsKnown():
		return config
	case of.Nesting == tfprotov6.SchemaObjectNestingModeSingle:
		return proposed(of.Attributes, prior, config)
	case of.Nesting != tfprotov6.SchemaObjectNestingModeList:
		panic("only lists and single objects are nested in this provider")
	}
	before := elements(prior)
	values := []tftypes.Value{}
	for i, element := range elements(config) {
		old := tftypes.NewValue(element.Type(), nil)
		if i < len(before) {
			old = before[i]
		}
		values = append(values, proposed(of.Attributes, old, element))
	}
	return tftypes.NewValue(config.Type(), values)
}

// incompatible says where a value is not what was planned; unknown parts of
// the plan may become anything.
func incompatible(at string, planned, actual tftypes.Value) string {
	if !planned.IsKnown() {
		return ""
	}
	if planned.IsNull() != actual.IsNull() || !actual.IsKnown() {
		return at
	}
	if planned.IsNull() {
		return ""
	}
	switch planned.Type().(type) {
	case tftypes.Object, tftypes.Map:
		want, got := fields(planned), fields(actual)
		if len(want) != len(got) {
			return at
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			value, found := got[name]
			if !found {
				return at + "." + name
			}
			if where := incompatible(at+"."+name, want[name], value); where != "" {
				return where
			}
		}
	case tftypes.List:
		want, got := elements(planned), elements(actual)
		if len(want) != len(got) {
			return at
		}
		for i := range want {
			if where := incompatible(fmt.Sprintf("%s[%d]", at, i), want[i], got[i]); where != "" {
				return where
			}
		}
	default:
		if !planned.Equal(actual) {
			return at
		}
	}
	return ""
}

// stateJSON is a value as the state file has it.
func stateJSON(value tftypes.Value) []byte {
	text, err := json.Marshal(plain(value))
	must(err)
	return text
}

func plain(value tftypes.Value) any {
	if value.IsNull() {
		return nil
	}
	switch value.Type().(type) {
	case tftypes.Object, tftypes.Map:
		object := map[string]any{}
		for name, field := range fields(value) {
			object[name] = plain(field)
		}
		return object
	case tftypes.List:
		list := []any{}
		for _, element := range elements(value) {
			list = append(list, plain(element))
		}
		return list
	}
	switch {
	case value.Type().Is(tftypes.String):
		return text(value)
	case value.Type().Is(tftypes.Bool):
		var is bool
		must(value.As(&is))
		return is
	default:
		number := new(big.Float)
		must(value.As(&number))
		return json.Number(number.Text('f', -1))
	}
}

// text is a known string.
func text(value tftypes.Value) string {
	var s string
	must(value.As(&s))
	return s
}

func encode(of tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	encoded, err := tfprotov6.NewDynamicValue(of, value)
	must(err)
	return &encoded
}

func decode(of tftypes.Type, value *tfprotov6.DynamicValue) tftypes.Value {
	decoded, err := value.Unmarshal(of)
	must(err)
	return decoded
}

// must is for what cannot fail unless the test itself is wrong.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
