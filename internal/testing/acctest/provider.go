package acctest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
)

// ProtoV6ProviderFactories is the provider under test. Its environment refers
// to the test's Kuscia, so that configurations need no provider block.
func (e *Env) ProtoV6ProviderFactories() map[string]func() (tfprotov6.ProviderServer, error) {
	return factories(e.getenv)
}

// Factories is the provider under test with only these environment variables.
// Unlike t.Setenv it works in parallel tests.
func Factories(variables map[string]string) map[string]func() (tfprotov6.ProviderServer, error) {
	return factories(environment(variables))
}

func factories(getenv func(string) string) map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"kuscia": func() (tfprotov6.ProviderServer, error) {
			return provider.NewServer(provider.Build{Version: "test"}, false, provider.WithEnvironment(getenv))(), nil
		},
	}
}

// File is a test step's ConfigFile in the package's testdata. Its variables are
// in TestStep.ConfigVariables.
func File(name string) config.TestStepConfigFunc {
	return config.StaticFile("testdata/" + name)
}
