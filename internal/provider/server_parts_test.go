package provider_test

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

type object = protocol.Object

// wrapped is the server with all wrappers, whose settings are in the provider block alone.
func wrapped() tfprotov6.ProviderServer {
	return provider.NewServer(provider.Build{Version: "test"}, true, provider.WithEnvironment(func(string) string { return "" }))()
}

// TestServerKeepsOptionalParts: the wrapper implements all optional interfaces
// of the framework's server.
func TestServerKeepsOptionalParts(t *testing.T) {
	t.Parallel()
	bare := providerserver.NewProtocol6(provider.New(provider.Build{})())()
	served := wrapped()
	if reflect.TypeOf(bare) == reflect.TypeOf(served) {
		t.Error("the server is not wrapped: the framework's server lacks a part that the wrapper expects")
	}
	methods := reflect.TypeOf(bare)
	for i := range methods.NumMethod() {
		if name := methods.Method(i).Name; methods.Method(i).IsExported() {
			if _, ok := reflect.TypeOf(served).MethodByName(name); !ok {
				t.Errorf("the wrapper lacks %s", name)
			}
		}
	}
}
