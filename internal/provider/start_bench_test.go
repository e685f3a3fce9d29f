package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
)

// BenchmarkStart is what every start of the provider does before the first
// request about a resource, apart from the initialization of packages.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		server := provider.NewServer(provider.Build{Version: "dev"}, true)()
		if _, err := server.GetProviderSchema(b.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
			b.Fatal(err)
		}
		if _, err := server.GetResourceIdentitySchemas(b.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{}); err != nil {
			b.Fatal(err)
		}
	}
}
