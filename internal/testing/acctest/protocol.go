package acctest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// OnCluster is the provider under test with the test's Kuscia and a cluster.
func (e *Env) OnCluster(k *Kube) map[string]func() (tfprotov6.ProviderServer, error) {
	return factories(e.with(k.Variables()))
}

// Server starts the provider under test with the test's Kuscia, and further
// environment variables, for calls without a CLI.
func (e *Env) Server(variables map[string]string) *protocol.Server {
	e.t.Helper()
	server := provider.NewServer(provider.Build{Version: "test"}, true, provider.WithEnvironment(e.with(variables)))()
	return protocol.NewServer(e.t, server).Configure(e.t, nil)
}

func (e *Env) with(variables map[string]string) func(string) string {
	return func(name string) string {
		if value, ok := variables[name]; ok {
			return value
		}
		return e.getenv(name)
	}
}
