package domainroute

import (
	"fmt"
	"strings"
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
// answers with and without shortcuts are the same; what is applied plans empty,
// and so does an import.
func TestPropertyAgree(t *testing.T) {
	b := newBench(t, "alice", "bob", "carol")
	bare, fast := b.Server, crudtest.NewFastServer(t, domainRoute, b.clients)
	rapid.Check(t, func(t *rapid.T) {
		draw := drawn(false).Configurations().Draw(t, "config").Tree
		if rapid.Bool().Draw(t, "usual") {
			with := rapid.SampledFrom([]string{"token", "token, all set", "none", "mtls with key", "third domain", "ports"}).Draw(t, "with")
			draw = treeOf(configs[with])
		}
		desired := domainRoute.Definition.Encode(draw)
		if len(bare.Validate(t, desired).Diagnostics) > 0 {
			crudtest.Agree(t, bare, fast, desired, bare.None())
			return
		}
		state, said := bare.Apply(t, desired, bare.None())
		defer func() {
			_ = b.clients.API.DeleteDomainRoute(t.Context(), keyOf([]string{"alice", "bob"}))
		}()
		crudtest.Agree(t, bare, fast, desired, state)
		if state.Value.IsNull() {
			if !strings.Contains(said, "ERROR") {
				t.Fatalf("no state and no error: %s", said)
			}
			return
		}
		_, state = bare.Read(t, state)
		if _, again := bare.Plan(t, desired, state); !again.Equal(state.Value) {
			t.Fatalf("planned\n%s\nfor\n%s", again, state.Value)
		}
		other := drawn(rapid.Bool().Draw(t, "unknowns")).Configurations().Draw(t, "other").Tree
		crudtest.Agree(t, bare, fast, domainRoute.Definition.Encode(other), state)
	})
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, "alice", "bob")
	crudtest.NewFastServer(t, domainRoute, b.clients).TakesShortcuts(t, configured(configs["token, all set"]))
}

// TestPropertyUnknown: with any part unknown the plan is legal, and what it
// shows as known is what a plan with all known shows.
func TestPropertyUnknown(t *testing.T) {
	null := domainRoute.Definition.Null()
	rapid.Check(t, func(t *rapid.T) {
		prior := null
		for i := range rapid.IntRange(0, 1).Draw(t, "updates") {
			prior = settledPlan(domainRoute.Definition.Plan(domainRoute.Definition.Encode(drawn(false).Configurations().Draw(t, fmt.Sprint("prior ", i)).Tree), null, definition.PlanOptions{ReplaceAll: true}).Planned)
		}
		open := drawn(true).Configurations().Draw(t, "config").Tree
		config := domainRoute.Definition.Encode(open)
		early := domainRoute.Definition.Plan(config, prior, definition.PlanOptions{ReplaceAll: true}).Planned
		definitiontest.Legal(t, domainRoute.Definition.ResourceSchema(), prior, config, early)
		_ = domainRoute.Issues(config)

		known := domainRoute.Definition.Encode(drawn(true).Resolve(t, open).Tree)
		late := domainRoute.Definition.Plan(known, prior, definition.PlanOptions{ReplaceAll: true}).Planned
		definitiontest.Legal(t, domainRoute.Definition.ResourceSchema(), prior, known, late)
		if at, ok := definitiontest.Conforms(early, late, "route"); !ok {
			t.Fatalf("planned something else than was done: %s", at)
		}
	})
}

// settledPlan is a plan whose unknown values have come to be null.
func settledPlan(planned definition.Value) definition.Value {
	return domainRoute.Definition.Filled(planned, domainRoute.Definition.Null())
}
