package acctest

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// OnCluster is the provider under test with the test's Kuscia and a cluster.
func (e *Env) OnCluster(k *Kube) map[string]func() (tfprotov6.ProviderServer, error) {
	return factories(e.withCluster(k))
}

// Server is a new run of the provider under test, with the test's Kuscia and,
// unless nil, a cluster, to be called without a CLI.
func (e *Env) Server(k *Kube) *protocol.Server {
	e.t.Helper()
	server := provider.NewServer(provider.Build{Version: "test"}, true, provider.WithEnvironment(e.withCluster(k)))()
	return protocol.NewServer(e.t, server).Configure(e.t, nil)
}

func (e *Env) withCluster(k *Kube) func(string) string {
	of := map[string]string{}
	if k != nil {
		maps.Copy(of, k.Variables())
	}
	return func(name string) string {
		if value, ok := of[name]; ok {
			return value
		}
		return e.getenv(name)
	}
}
