package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestValidate_writeOnlyUnsupported: a CLI without write-only attributes gets
// the framework's error for each of them, with the path, also from the
// shortcut.
func TestValidate_writeOnlyUnsupported(t *testing.T) {
	t.Parallel()
	server := wrapped()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	protocol.Check(t, err, schemas.Diagnostics)
	for typeName, config := range map[string]object{
		"kuscia_config": {"key": "a", "value_wo": "secret", "value_wo_version": 1},
		"kuscia_edge_deployment": {"name": "a", "node_ids": []any{"n"}, "containers": []any{object{
			"name": "a", "image_url": "a", "envs": []any{object{"name": "A", "value_wo": "secret", "value_wo_version": 1}},
		}}},
	} {
		for _, allowed := range []bool{true, false} {
			response, err := server.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
				TypeName: typeName, Config: protocol.Encode(protocol.Value(schemas.ResourceSchemas[typeName].ValueType(), config)),
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: allowed},
			})
			if err != nil {
				t.Fatal(err)
			}
			if said := protocol.Messages(response.Diagnostics); allowed != (said == "") || !allowed && !strings.Contains(said, "1.11") {
				t.Errorf("%s, write-only attributes allowed: %t: messages %q", typeName, allowed, said)
			}
		}
	}
}
