package provider_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestUpgradeWithAndWithoutShortcut: the wrapper's responses equal the
// framework's, for any state file.
func TestUpgradeWithAndWithoutShortcut(t *testing.T) {
	t.Parallel()
	bare, wrapped := servers()
	schemas, err := bare.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	protocol.Check(t, err, schemas.Diagnostics)
	names := slices.Sorted(maps.Keys(schemas.ResourceSchemas))

	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "resource type")
		schema := schemas.ResourceSchemas[name]
		kind := schema.ValueType()
		odd := rapid.Bool().Draw(t, "odd")
		state, err := json.Marshal(drawStored(t, kind, odd))
		if err != nil {
			t.Fatal(err)
		}
		text, version := string(state), schema.Version
		if odd {
			text += rapid.SampledFrom([]string{"", "", "", "", " ", "{}", "]"}).Draw(t, "behind")
			version += rapid.SampledFrom([]int64{0, 0, 0, 0, 1}).Draw(t, "version")
			if rapid.IntRange(0, 4).Draw(t, "a key twice") == 0 {
				text = strings.Replace(text, "{", `{"`+slices.Sorted(maps.Keys(kindOf(kind)))[0]+`":`+rapid.SampledFrom([]string{"null", "[]", `"a"`}).Draw(t, "first")+`,`, 1)
			}
		}
		upgrade := func(server tfprotov6.ProviderServer) *tfprotov6.UpgradeResourceStateResponse {
			response, err := server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: name, Version: version, RawState: &tfprotov6.RawState{JSON: []byte(text)},
			})
			if err != nil {
				t.Fatal(err)
			}
			return response
		}
		got, want := upgrade(wrapped), upgrade(bare)
		if a, b := protocol.Decode(kind, got.UpgradedState), protocol.Decode(kind, want.UpgradedState); !a.Equal(b) {
			t.Errorf("%s\nbecame %s\nwant   %s", text, a, b)
		}
		got.UpgradedState, want.UpgradedState = nil, nil
		if len(got.Diagnostics)+len(want.Diagnostics) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n%+v, want %+v", text, got, want)
		}
	})
}

func kindOf(kind tftypes.Type) map[string]tftypes.Type {
	of, _ := kind.(tftypes.Object)
	return of.AttributeTypes
}

// drawStored generates a value of a type as in a state file, sometimes an
// invalid one.
func drawStored(t *rapid.T, kind tftypes.Type, odd bool) any {
	switch n := rapid.IntRange(0, 60).Draw(t, "kind of value"); {
	case n < 3 && !kind.Is(tftypes.Object{}):
		return nil
	case n == 3 && odd:
		return rapid.SampledFrom([]any{"text", "7", "true", 7, 7.5, -1, true, []any{}, []any{nil}, object{}, object{"more": 1}, json.Number("1e30"), json.Number("1.0")}).Draw(t, "odd value")
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		fields := object{}
		for _, name := range slices.Sorted(maps.Keys(kind.AttributeTypes)) {
			fields[name] = drawStored(t, kind.AttributeTypes[name], odd)
		}
		switch n := rapid.IntRange(0, 40).Draw(t, "attributes"); {
		case !odd:
		case n == 0:
			fields["removed_long_ago"] = nil
		case n == 1:
			delete(fields, slices.Sorted(maps.Keys(fields))[0])
		case n == 2:
			delete(fields, slices.Sorted(maps.Keys(fields))[0])
			fields["renamed"] = nil
		}
		return fields
	case tftypes.List:
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return drawStored(t, kind.ElementType, odd) }), 0, 3).Draw(t, "list")
	case tftypes.Map:
		elements := object{}
		for _, name := range rapid.SliceOfN(rapid.StringMatching(`[a-zé"]{0,3}`), 0, 3).Draw(t, "keys") {
			elements[name] = drawStored(t, kind.ElementType, odd)
		}
		return elements
	}
	switch {
	case kind.Is(tftypes.Number):
		numbers := []any{0, 1, -7, 255, 1 << 40, json.Number("9223372036854775807"), 0.5}
		if !odd {
			numbers = numbers[:6]
		}
		return rapid.SampledFrom(numbers).Draw(t, "number")
	case kind.Is(tftypes.Bool):
		return rapid.Bool().Draw(t, "bool")
	}
	return rapid.SampledFrom([]string{"", "alice", "é\u0301\n", strings.Repeat("long", 100), "\ufffd<>&"}).Draw(t, "text")
}
