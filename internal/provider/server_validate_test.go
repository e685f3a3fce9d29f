package provider_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/bounded"
)

// validator is the framework's server, with and without the wrapper.
type validator struct {
	bare, wrapped tfprotov6.ProviderServer
	kind          tftypes.Type
}

func newValidator(t *testing.T) *validator {
	t.Helper()
	v := &validator{}
	v.bare, v.wrapped = servers()
	schemas, err := v.bare.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	protocol.Check(t, err, schemas.Diagnostics)
	v.kind = schemas.ResourceSchemas["kuscia_serving"].ValueType()
	return v
}

// agree validates with both servers and compares. It returns the messages.
func (v *validator) agree(t rapid.TB, config any, writeOnlyAllowed bool) []string {
	t.Helper()
	encoded := protocol.Encode(protocol.Value(v.kind, config))
	ask := func(server tfprotov6.ProviderServer) []string {
		response, err := server.ValidateResourceConfig(context.Background(), &tfprotov6.ValidateResourceConfigRequest{
			TypeName: "kuscia_serving", Config: encoded,
			ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: writeOnlyAllowed},
		})
		if err != nil {
			t.Fatal(err)
		}
		if server == v.bare {
			response.Diagnostics = bounded.Diagnostics(response.Diagnostics)
		}
		said := []string{}
		for _, d := range response.Diagnostics {
			said = append(said, strings.Join([]string{d.Severity.String(), d.Summary, d.Detail, d.Attribute.String()}, "|"))
		}
		slices.Sort(said) // the framework iterates over maps
		return said
	}
	got, want := ask(v.wrapped), ask(v.bare)
	if !slices.Equal(got, want) {
		t.Errorf("%v\nsaid %q\nwant %q", config, got, want)
	}
	return want
}

// TestValidateWithAndWithoutShortcut: the wrapper's messages equal the
// framework's, for any configuration.
func TestValidateWithAndWithoutShortcut(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	rapid.Check(t, func(t *rapid.T) {
		config, _ := drawServing(t)
		if rapid.Bool().Draw(t, "changes") {
			config = drawConfig(t, config)
		}
		for range rapid.IntRange(0, 3).Draw(t, "spoilt attributes") {
			makeInvalid(t, config, v.kind)
		}
		v.agree(t, config, rapid.Bool().Draw(t, "write-only allowed"))
	})
}

// oneOf selects a value; a function is called to generate one.
func oneOf(t *rapid.T, name string, values ...any) any {
	value := rapid.SampledFrom(values).Draw(t, name)
	if draw, ok := value.(func() any); ok {
		return draw()
	}
	return value
}

// makeInvalid replaces an attribute somewhere in a configuration by another value.
func makeInvalid(t *rapid.T, config object, kind tftypes.Type) {
	types, isObject := kind.(tftypes.Object)
	if !isObject {
		return
	}
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(types.AttributeTypes))).Draw(t, "attribute")
	of := types.AttributeTypes[name]
	if list, isList := of.(tftypes.List); isList {
		elements, _ := config[name].([]any)
		if len(elements) > 0 && rapid.Bool().Draw(t, "inside") {
			i := rapid.IntRange(0, len(elements)-1).Draw(t, "element")
			element, _ := elements[i].(object)
			element = maps.Clone(element)
			if element == nil {
				return
			}
			makeInvalid(t, element, list.ElementType)
			elements = slices.Clone(elements)
			elements[i] = element
			config[name] = elements
			return
		}
		one := oneOf(t, name, nil, []any{}, []any{nil}, []any{protocol.Unknown{}}, protocol.Unknown{}, func() any { return append(slices.Clone(elements), elements...) })
		config[name] = one
		return
	}
	if elements, isMap := of.(tftypes.Map); isMap && elements.ElementType.Is(tftypes.Object{}) {
		byKey, _ := config[name].(object)
		if keys := slices.Sorted(maps.Keys(byKey)); len(keys) > 0 && rapid.Bool().Draw(t, "inside") {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			element, isObject := byKey[key].(object)
			if !isObject {
				return
			}
			element, byKey = maps.Clone(element), maps.Clone(byKey)
			makeInvalid(t, element, elements.ElementType)
			byKey[key] = element
			config[name] = byKey
			return
		}
		config[name] = oneOf(t, name, nil, object{}, object{"a": nil}, object{"a": protocol.Unknown{}}, protocol.Unknown{}, func() any {
			again := maps.Clone(byKey)
			for key, element := range byKey {
				again["Other "+key] = element
			}
			return again
		})
		return
	}
	if inner, isMap := config[name].(object); isMap && rapid.Bool().Draw(t, "inside") {
		inner = maps.Clone(inner)
		makeInvalid(t, inner, of)
		config[name] = inner
		return
	}
	switch {
	case of.Is(tftypes.String):
		config[name] = oneOf(t, name, nil, protocol.Unknown{}, "", "alice", "a.b", "-a", "A", "RollingUpdate", "Recreate", "affinity", "25%", "101%", "-1", "1", "1.5", "500m", "12Gi", "1x", "-1.5h", "90s",
			strings.Repeat("a", 63), strings.Repeat("a", 64), "{}", "é\u0301")
	case of.Is(tftypes.Number):
		config[name] = oneOf(t, name, nil, protocol.Unknown{}, -1, 0, 1, 7, 1<<31, -1<<40, 1.5)
	case of.Is(tftypes.Bool):
		config[name] = oneOf(t, name, nil, protocol.Unknown{}, true, false)
	case of.Is(tftypes.Map{}):
		config[name] = oneOf(t, name, nil, protocol.Unknown{}, object{}, object{"a": "1"}, object{"a": nil}, object{"a": protocol.Unknown{}})
	case of.Is(tftypes.Object{}):
		config[name] = oneOf(t, name, nil, protocol.Unknown{}, object{})
	}
}

// TestValidateShortcutIsTaken: the framework does not handle a typical
// configuration.
func TestValidateShortcutIsTaken(t *testing.T) {
	v := newValidator(t)
	var config object
	if err := json.Unmarshal([]byte(benchConfig), &config); err != nil {
		t.Fatal(err)
	}
	if said := v.agree(t, config, true); len(said) > 0 {
		t.Fatalf("%q", said)
	}
	request := &tfprotov6.ValidateResourceConfigRequest{TypeName: "kuscia_serving", Config: protocol.Encode(protocol.Value(v.kind, config))}
	allocations := func(server tfprotov6.ProviderServer) float64 {
		return testing.AllocsPerRun(20, func() {
			if _, err := server.ValidateResourceConfig(t.Context(), request); err != nil {
				t.Fatal(err)
			}
		})
	}
	if bare, wrapped := allocations(v.bare), allocations(v.wrapped); wrapped > bare/5 {
		t.Errorf("%v allocations, %v without the wrapper", wrapped, bare)
	}
}
