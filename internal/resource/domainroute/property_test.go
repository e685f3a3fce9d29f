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
		Definition: domainRoute.Definition, Fixed: tree{"source": "alice", "destination": "bob", "wait_for_ready": false, "timeouts": nil}, Unknowns: unknowns,
		Texts: map[string][]string{
			"authentication_type": {authToken, authMTLS, authNone}, "host": {"", "bob", "10.0.0.1"}, "protocol": {"HTTP", "http", "GRPC"},
			"token_gen_method": {"", "RSA-GEN", "UID-RSA-GEN"}, "transit_method": {thirdDomain, "REVERSE-TUNNEL"}, "domain_id": {"", "carol"},
			"algorithm": {"AES", "SM4"}, "tls_ca": {encoded("ca")}, "source_client_cert": {encoded("a"), encoded("b")},
			"source_client_private_key": {"", encoded("k")},
		},
	}
}

// property describes the route from alice to bob for property tests.
func property(t *testing.T) crudtest.Property {
	t.Helper()
	b := newBench(t, "alice", "bob", "carol")
	return crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: drawn,
		Usual: func(t *rapid.T) definition.Value {
			return configured(configs[rapid.SampledFrom([]string{"token", "token, all set", "none", "mtls with key", "third domain", "ports"}).Draw(t, "with")])
		},
		Remove: func() { _ = b.Clients.Kuscia.DeleteDomainRoute(t.Context(), keyOf([]string{"alice", "bob"})) },
	}
}

// TestPropertySequence: any configuration can be applied over any prior state,
// reads back as planned, and the next plan is empty.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	property(t).Sequence(t, nil)
}

// TestShortcutsAgree: for any configuration, state and server, the responses
// with and without shortcuts are the same, and the plan after an apply is
// empty.
func TestShortcutsAgree(t *testing.T) { property(t).ShortcutsAgree(t, nil) }

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without
// changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	newBench(t, "alice", "bob").Fast(t).CheckFastPath(t, configured(configs["token, all set"]))
}

// TestPropertyUnknown: a plan with unknown parts is legal, and its known values
// are those of the plan with all values known.
func TestPropertyUnknown(t *testing.T) {
	definitiontest.UnknownPlans{Generator: drawn, Options: definition.PlanOptions{ReplaceAll: true}, Issues: domainRoute.Issues}.Check(t)
}
