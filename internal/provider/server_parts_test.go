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

// servers are the framework's server, and the one with all wrappers.
func servers() (bare, wrapped tfprotov6.ProviderServer) {
	build, none := provider.Build{Version: "test"}, provider.WithEnvironment(func(string) string { return "" })
	return providerserver.NewProtocol6(provider.New(build, none)())(), provider.NewServer(build, true, none)()
}

// TestServerKeepsOptionalParts: the wrapper implements all optional interfaces
// of the framework's server.
func TestServerKeepsOptionalParts(t *testing.T) {
	t.Parallel()
	bare := providerserver.NewProtocol6(provider.New(provider.Build{})())()
	served := provider.NewServer(provider.Build{}, true)()
	//nolint:staticcheck // deprecated means required soon; until then they are optional
	for name, has := range map[string]func(tfprotov6.ProviderServer) bool{
		"list resources": func(s tfprotov6.ProviderServer) bool {
			_, ok := s.(tfprotov6.ProviderServerWithListResource)
			return ok
		},
		"actions":      func(s tfprotov6.ProviderServer) bool { _, ok := s.(tfprotov6.ProviderServerWithActions); return ok },
		"state stores": func(s tfprotov6.ProviderServer) bool { _, ok := s.(tfprotov6.ProviderServerWithStateStores); return ok },
	} {
		if has(bare) != has(served) {
			t.Errorf("%s: framework %t, wrapper %t", name, has(bare), has(served))
		}
	}
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
