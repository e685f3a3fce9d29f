package acctest

import (
	"testing"

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
	return serve(e.t, e.with(variables))
}

// NewServer starts the provider under test with only these environment variables, for calls
// without a CLI.
func NewServer(tb testing.TB, variables map[string]string) *protocol.Server {
	tb.Helper()
	return serve(tb, environment(variables))
}

func serve(tb testing.TB, getenv func(string) string) *protocol.Server {
	tb.Helper()
	server := provider.NewServer(provider.Build{Version: "test"}, true, provider.WithEnvironment(getenv))()
	return protocol.NewServer(tb, server).Configure(tb, nil)
}

func (e *Env) with(variables map[string]string) func(string) string {
	return func(name string) string {
		if value, ok := variables[name]; ok {
			return value
		}
		return e.getenv(name)
	}
}
