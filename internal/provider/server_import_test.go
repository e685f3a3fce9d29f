package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// TestImportWithAnEmptyID: an empty import id is an error that explains the
// format, with and without a null identity, which Terraform sends together with
// an id.
func TestImportWithAnEmptyID(t *testing.T) {
	t.Parallel()
	bare, wrapped := servers()
	for _, name := range []string{"kuscia_serving", "kuscia_app_image"} {
		for _, server := range []tfprotov6.ProviderServer{bare, wrapped} {
			for _, identity := range []*tfprotov6.ResourceIdentityData{nil, {IdentityData: &tfprotov6.DynamicValue{JSON: []byte("null")}}} {
				response, err := server.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: name, Identity: identity})
				if err != nil {
					t.Fatal(err)
				}
				if len(response.Diagnostics) != 1 || response.Diagnostics[0].Summary != "Invalid import ID" {
					t.Errorf("%s with identity %v: %v", name, identity, response.Diagnostics)
				}
			}
		}
	}
}
