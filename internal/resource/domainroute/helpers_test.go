package domainroute

import (
	"encoding/base64"
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// bench is the resource with a sandbox.
type bench struct{ *sandboxtest.Resource }

func newBench(t *testing.T, domains ...string) *bench {
	t.Helper()
	return &bench{sandboxtest.NewResource(t, domainRoute, sandbox.Options{Domains: domains})}
}

// configured returns a route from alice to bob with tokens, modified by the
// changes.
func configured(with tree) definition.Value {
	out := tree{
		"source": "alice", "destination": "bob", "authentication_type": authToken,
		"endpoint": tree{"host": "gateway.bob.example", "ports": []any{port(nil)}},
	}
	maps.Copy(out, with)
	return domainRoute.Definition.Encode(out)
}

func port(with tree) tree {
	out := tree{"name": "http", "port": int64(1080), "protocol": "HTTP"}
	maps.Copy(out, with)
	return out
}

// encoded returns a text in Kuscia's encoding of certificates.
func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func mtls(with tree) tree {
	out := tree{"tls_ca": encoded("ca"), "source_client_cert": encoded("cert")}
	maps.Copy(out, with)
	return out
}

// settled applies a configuration, and requires no diagnostics and an empty
// plan. The server adds public keys to a route some time after its creation.
func (b *bench) settled(t *testing.T, config definition.Value, prior crudtest.State) crudtest.State {
	t.Helper()
	state, said := b.Apply(t, config, prior)
	if said != "" {
		t.Fatalf("apply: got diagnostics %s", said)
	}
	return b.CheckEmptyPlan(t, config, state)
}
