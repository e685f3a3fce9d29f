package domainroute

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// drawn generates configurations with few different values, valid or not.
func drawn(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: domainRoute.Definition, Fixed: tree{"source": "alice", "destination": "bob", "wait_for_ready": false, "timeouts": nil, "allow_removal_of": customResource.Named()}, Unknowns: unknowns,
		Texts: map[string][]string{
			"authentication_type": {authToken, authMTLS, authNone}, "host": {"", "bob", "10.0.0.1"}, "protocol": {"HTTP", "http", "GRPC"},
			"token_gen_method": {"", "RSA-GEN", "UID-RSA-GEN"}, "transit_method": {thirdDomain, "REVERSE-TUNNEL"}, "domain_id": {"", "carol"},
			"algorithm": {"AES", "SM4"}, "tls_ca": {encoded("ca")}, "source_client_cert": {encoded("a"), encoded("b")},
			"source_client_private_key": {"", encoded("k")},
		},
	}
}

// TestProperties: any configuration can be applied over any prior state, and shortcuts
// respond as the framework does.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := newBench(t, "alice", "bob", "carol")
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: drawn, Issues: domainRoute.Issues, Options: definition.PlanOptions{ReplaceAll: true}, Full: configured(configs["token, all set"]), Warns: "Domain route is replaced",
		Usual: func(t *rapid.T) definition.Value {
			return configured(configs[rapid.SampledFrom([]string{"token", "token, all set", "none", "mtls with key", "third domain", "ports"}).Draw(t, "with")])
		},
		Remove: func() { _ = b.Run.Kuscia.DeleteDomainRoute(t.Context(), keyOf([]string{"alice", "bob"})) },
	}.Check(t)
}
