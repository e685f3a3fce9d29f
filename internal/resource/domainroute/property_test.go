package domainroute

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// drawn are configurations with few values, valid or not.
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

// TestPropertyAgree: whatever the configuration, the state and the server, the
// answers with and without shortcuts are the same, and what is applied plans
// empty.
func TestPropertyAgree(t *testing.T) {
	b := newBench(t, "alice", "bob", "carol")
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: drawn,
		Usual: func(t *rapid.T) definition.Value {
			return configured(configs[rapid.SampledFrom([]string{"token", "token, all set", "none", "mtls with key", "third domain", "ports"}).Draw(t, "with")])
		},
		Remove: func() { _ = b.Clients.API.DeleteDomainRoute(t.Context(), keyOf([]string{"alice", "bob"})) },
	}.ShortcutsAgree(t, nil)
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	newBench(t, "alice", "bob").Fast(t).CheckFastPath(t, configured(configs["token, all set"]))
}

// TestPropertyUnknown: with any part unknown the plan is legal, and what it
// shows as known is what a plan with all known shows.
func TestPropertyUnknown(t *testing.T) {
	definitiontest.UnknownPlans{Generator: drawn, Options: definition.PlanOptions{ReplaceAll: true}, Issues: domainRoute.Issues}.Check(t)
}
