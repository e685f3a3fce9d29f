package functions_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
)

// TestServingEndpointTakesTheAttribute: the parameter has the type of the
// attribute in resource and data source.
func TestServingEndpointTakesTheAttribute(t *testing.T) {
	server := provider.NewServer(provider.Build{Version: "test"}, true)()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	desired := schemas.Functions["serving_endpoint"].Parameters[0].Type
	for name, schema := range map[string]*tfprotov6.Schema{
		"resource": schemas.ResourceSchemas["kuscia_serving"], "data source": schemas.DataSourceSchemas["kuscia_serving"],
	} {
		found := false
		for _, attribute := range schema.Block.Attributes {
			if attribute.Name == "endpoints" {
				found = true
				if got := attribute.ValueType(); !got.Equal(desired) {
					t.Errorf("%s: %s, the function takes %s", name, got, desired)
				}
			}
		}
		if !found {
			t.Errorf("%s has no endpoints", name)
		}
	}
}
