package lifetest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// schemas are those of the provider.
var schemas = loadSchemas()

func loadSchemas() *tfprotov6.GetProviderSchemaResponse {
	response, err := provider.NewServer(provider.Build{Version: "test"}, true)().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		panic(err)
	}
	return response
}

// isSet reports whether a configuration can set an attribute.
func isSet(a *tfprotov6.SchemaAttribute) bool { return a.Required || a.Optional }

// settable are the paths of all attributes that a configuration can set, without places in
// lists and keys of maps.
func settable(at string, attributes []*tfprotov6.SchemaAttribute) (paths []string) {
	for _, a := range attributes {
		if !isSet(a) {
			continue
		}
		path := strings.TrimPrefix(at+"."+a.Name, ".")
		paths = append(paths, path)
		if a.NestedType != nil {
			paths = append(paths, settable(path, a.NestedType.Attributes)...)
		}
	}
	return paths
}

// cover adds the paths, as those of settable, at which two configurations differ.
func cover(covered map[string]bool, at string, attributes []*tfprotov6.SchemaAttribute, before, after attrs) {
	for _, a := range attributes {
		x, y := before[a.Name], after[a.Name]
		if fmt.Sprint(x) == fmt.Sprint(y) {
			continue
		}
		path := strings.TrimPrefix(at+"."+a.Name, ".")
		covered[path] = true
		if a.NestedType == nil {
			continue
		}
		first, second := objectsIn(a.NestedType, x), objectsIn(a.NestedType, y)
		for place := range with(first, second) {
			p, _ := first[place].(attrs)
			q, _ := second[place].(attrs)
			cover(covered, path, a.NestedType.Attributes, p, q)
		}
	}
}

// objectsIn are the objects in a nested attribute by their places.
func objectsIn(of *tfprotov6.SchemaObject, value any) attrs {
	switch value := value.(type) {
	case []any:
		objects := attrs{}
		for i := range value {
			objects[fmt.Sprint(i)] = value[i]
		}
		return objects
	case attrs:
		if of.Nesting == tfprotov6.SchemaObjectNestingModeMap {
			return value
		}
		return attrs{"": value}
	}
	return attrs{}
}

// rules are the rules of the attributes for legal plans.
func rules(attributes []*tfprotov6.SchemaAttribute) map[string]definitiontest.Rule {
	out := map[string]definitiontest.Rule{}
	for _, a := range attributes {
		rule := definitiontest.Rule{Computed: a.Computed, WriteOnly: a.WriteOnly}
		if a.NestedType != nil {
			rule.Attributes = rules(a.NestedType.Attributes)
		}
		out[a.Name] = rule
	}
	return out
}

// differing are the paths of the differences between two objects, as deep as possible, in
// what a configuration can set and the state has. Null and empty are the same.
func differing(at string, attributes []*tfprotov6.SchemaAttribute, before, after tftypes.Value) (paths []string) {
	a, b := protocol.Fields(before), protocol.Fields(after)
	for _, attribute := range attributes {
		if !isSet(attribute) || attribute.WriteOnly {
			continue
		}
		path := strings.TrimPrefix(at+"."+attribute.Name, ".")
		paths = append(paths, differingValues(path, attribute.NestedType, a[attribute.Name], b[attribute.Name])...)
	}
	slices.Sort(paths)
	return paths
}

func differingValues(at string, of *tfprotov6.SchemaObject, before, after tftypes.Value) (paths []string) {
	switch {
	case before.Equal(after), isEmpty(before) && isEmpty(after):
		return nil
	case before.IsNull() || after.IsNull() || !before.IsKnown() || !after.IsKnown() || isEmpty(before) || isEmpty(after):
		return []string{at}
	case of != nil && of.Nesting == tfprotov6.SchemaObjectNestingModeSingle:
		return differing(at, of.Attributes, before, after)
	}
	element := func(at string, a, b tftypes.Value) []string {
		if of == nil {
			return differingValues(at, nil, a, b)
		}
		return differing(at, of.Attributes, a, b)
	}
	switch kind := before.Type(); {
	case kind.Is(tftypes.List{}):
		a, b := protocol.Elements(before), protocol.Elements(after)
		if len(a) != len(b) {
			return []string{at}
		}
		for i := range a {
			paths = append(paths, element(fmt.Sprint(at, ".", i), a[i], b[i])...)
		}
		return paths
	case kind.Is(tftypes.Map{}):
		a, b := protocol.Fields(before), protocol.Fields(after)
		all := maps.Clone(a)
		maps.Copy(all, b)
		for key := range all {
			x, inA := a[key]
			y, inB := b[key]
			if !inA || !inB {
				paths = append(paths, at+"."+key)
				continue
			}
			paths = append(paths, element(at+"."+key, x, y)...)
		}
		return paths
	}
	return []string{at}
}

// isEmpty reports whether a value is null, or what an API returns where nothing is set.
func isEmpty(value tftypes.Value) bool {
	if value.IsNull() || !value.IsFullyKnown() {
		return value.IsNull()
	}
	return isEmptyPlain(protocol.Plain(value))
}

func isEmptyPlain(value any) bool {
	switch plain := value.(type) {
	case nil:
		return true
	case string:
		return plain == ""
	case bool:
		return !plain
	case json.Number:
		return plain == "0"
	case []any:
		return len(plain) == 0
	case attrs:
		return len(plain) == 0
	}
	return false
}

// generated is the configuration that a CLI generates from a state: what can be set, without
// what is sensitive.
func generated(attributes []*tfprotov6.SchemaAttribute, state tftypes.Value) tftypes.Value {
	values := maps.Clone(protocol.Fields(state))
	for _, a := range attributes {
		value := values[a.Name]
		switch {
		case !isSet(a) || a.Sensitive || a.WriteOnly:
			values[a.Name] = tftypes.NewValue(value.Type(), nil)
		case a.NestedType != nil && !value.IsNull():
			values[a.Name] = eachObject(a.NestedType, value, generated)
		}
	}
	return tftypes.NewValue(state.Type(), values)
}

// eachObject changes each object in a nested attribute.
func eachObject(of *tfprotov6.SchemaObject, value tftypes.Value, change func([]*tfprotov6.SchemaAttribute, tftypes.Value) tftypes.Value) tftypes.Value {
	switch of.Nesting {
	case tfprotov6.SchemaObjectNestingModeSingle:
		return change(of.Attributes, value)
	case tfprotov6.SchemaObjectNestingModeMap:
		elements := maps.Clone(protocol.Fields(value))
		for key, element := range elements {
			elements[key] = change(of.Attributes, element)
		}
		return tftypes.NewValue(value.Type(), elements)
	default:
		elements := slices.Clone(protocol.Elements(value))
		for i, element := range elements {
			elements[i] = change(of.Attributes, element)
		}
		return tftypes.NewValue(value.Type(), elements)
	}
}

// differsIn is where two values differ in what both have; null and empty are the same.
func differsIn(at string, a, b any) string {
	switch x := a.(type) {
	case attrs:
		y, ok := b.(attrs)
		if !ok {
			break
		}
		for name, value := range x {
			if other, both := y[name]; both {
				if where := differsIn(strings.TrimPrefix(at+"."+name, "."), value, other); where != "" {
					return where
				}
			}
		}
		return ""
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			if where := differsIn(fmt.Sprint(at, ".", i), x[i], y[i]); where != "" {
				return where
			}
		}
		return ""
	}
	if fmt.Sprint(a) == fmt.Sprint(b) || isEmptyPlain(a) && isEmptyPlain(b) {
		return ""
	}
	return at
}

// Two spellings of one JSON text, which every attribute that can have JSON takes as one value.
const jsonText, spelledJSON = `{"a":1,"b":["x",null]}`, `{ "b": ["x", null], "a": 1.0 }`

// respelled is a value with the other spelling of its JSON texts.
func respelled(value any) any {
	switch v := value.(type) {
	case attrs:
		out := attrs{}
		for name, element := range v {
			out[name] = respelled(element)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = respelled(element)
		}
		return out
	case string:
		if v == jsonText {
			return spelledJSON
		}
	}
	return value
}
