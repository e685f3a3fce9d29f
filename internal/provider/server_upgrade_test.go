package provider_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
)

// Whatever the state file has, the wrapper's answers are the framework's.
func TestUpgradeWithAndWithoutShortcut(t *testing.T) {
	t.Parallel()
	build, none := provider.Build{Version: "test"}, provider.WithEnvironment(func(string) string { return "" })
	bare, wrapped := providerserver.NewProtocol6(provider.New(build, none)())(), provider.NewServer(build, true, none)()
	schemas, err := bare.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	check(t, err, schemas.Diagnostics)
	names := slices.Sorted(maps.Keys(schemas.ResourceSchemas))

	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "resource type")
		schema := schemas.ResourceSchemas[name]
		kind := schema.ValueType()
		state, err := json.Marshal(drawStored(t, kind))
		if err != nil {
			t.Fatal(err)
		}
		text := string(state) + rapid.SampledFrom([]string{"", "", "", "", " ", "{}", "]"}).Draw(t, "behind")
		version := schema.Version + rapid.SampledFrom([]int64{0, 0, 0, 0, 1}).Draw(t, "version")
		upgrade := func(server tfprotov6.ProviderServer) *tfprotov6.UpgradeResourceStateResponse {
			answer, err := server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: name, Version: version, RawState: &tfprotov6.RawState{JSON: []byte(text)},
			})
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		got, want := upgrade(wrapped), upgrade(bare)
		if a, b := decodedAs(t, kind, got.UpgradedState), decodedAs(t, kind, want.UpgradedState); !a.Equal(b) {
			t.Errorf("%s\nbecame %s\nwant   %s", text, a, b)
		}
		got.UpgradedState, want.UpgradedState = nil, nil
		if len(got.Diagnostics)+len(want.Diagnostics) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n%+v, want %+v", text, got, want)
		}
	})
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

// drawStored is a value of a type as a state file has it, mostly.
func drawStored(t *rapid.T, kind tftypes.Type) any {
	switch rapid.IntRange(0, 60).Draw(t, "odd") {
	case 0, 1, 2:
		return nil
	case 3:
		return rapid.SampledFrom([]any{"text", "7", "true", 7, 7.5, -1, true, []any{}, []any{nil}, object{}, object{"more": 1}, json.Number("1e30"), json.Number("1.0")}).Draw(t, "odd value")
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		fields := object{}
		for _, name := range slices.Sorted(maps.Keys(kind.AttributeTypes)) {
			fields[name] = drawStored(t, kind.AttributeTypes[name])
		}
		switch rapid.IntRange(0, 40).Draw(t, "attributes") {
		case 0:
			fields["removed_long_ago"] = nil
		case 1:
			delete(fields, slices.Sorted(maps.Keys(fields))[0])
		case 2:
			delete(fields, slices.Sorted(maps.Keys(fields))[0])
			fields["renamed"] = nil
		}
		return fields
	case tftypes.List:
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return drawStored(t, kind.ElementType) }), 0, 3).Draw(t, "list")
	case tftypes.Map:
		elements := object{}
		for _, name := range rapid.SliceOfN(rapid.StringMatching(`[a-zé"]{0,3}`), 0, 3).Draw(t, "keys") {
			elements[name] = drawStored(t, kind.ElementType)
		}
		return elements
	}
	switch {
	case kind.Is(tftypes.Number):
		return rapid.SampledFrom([]any{0, 1, -7, 255, 1 << 40, json.Number("9223372036854775807"), 0.5}).Draw(t, "number")
	case kind.Is(tftypes.Bool):
		return rapid.Bool().Draw(t, "bool")
	}
	return rapid.SampledFrom([]string{"", "alice", "é\u0301\n", strings.Repeat("long", 100), "\ufffd<>&"}).Draw(t, "text")
}
