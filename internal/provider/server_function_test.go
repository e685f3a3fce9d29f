package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestCallFunctionNullArgument: a null argument is null in both encodings that
// CLIs send: as a null value, and as no value. The provider need not be
// configured.
func TestCallFunctionNullArgument(t *testing.T) {
	server := provider.NewServer(provider.Build{Version: "test"}, true)()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	endpoints := protocol.Encode(protocol.Value(schemas.Functions["serving_endpoint"].Parameters[0].Type, []any{
		object{"domain_id": "alice", "role": "", "port_name": "http", "scope": "Domain", "endpoint": "host:1"},
	}))
	text := func(text any) *tfprotov6.DynamicValue { return protocol.Encode(tftypes.NewValue(tftypes.String, text)) }
	for name, role := range map[string]*tfprotov6.DynamicValue{"written out": text(nil), "empty": {}, "nothing": nil, "text": text("")} {
		arguments := []*tfprotov6.DynamicValue{endpoints, text("alice"), role, text("http")}
		response, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: "serving_endpoint", Arguments: arguments})
		if err != nil || response.Error != nil {
			t.Fatalf("%s: %v %+v", name, err, response.Error)
		}
		result, err := response.Result.Unmarshal(tftypes.String)
		if err != nil || protocol.Plain(result) != "host:1" {
			t.Errorf("%s: %v, %v", name, result, err)
		}
		if arguments[2] != role {
			t.Errorf("%s: the request was changed", name)
		}
	}
}
