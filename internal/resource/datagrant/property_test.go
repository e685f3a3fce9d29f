package datagrant

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs draws configurations that are valid but for unknown values.
func configs(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: dataGrant.Definition, Unknowns: unknowns,
		Fixed: tree{"domain_id": "alice", "domaindatagrant_id": "g"},
		Texts: map[string][]string{
			"domaindata_id": {"table", "other"}, "grant_domain": {"bob", "carol"}, "signature": {""},
			"expiration_time": {"2040-01-31T10:00:00+02:00", "2040-01-31T08:00:00Z", "2001-01-01T00:00:00Z"},
		},
	}
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// it is applied, reads back as planned, and the next plan is empty.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rapid.Check(t, func(t *rapid.T) {
		_ = b.c.API.DeleteDomainDataGrant(t.Context(), key)
		state := b.None()
		for i := range 3 {
			desired := dataGrant.Definition.Encode(configs(false).Configurations().Draw(t, fmt.Sprint("config ", i)).Tree)
			_, planned := b.Plan(t, desired, state)
			definitiontest.Legal(t, dataGrant.Definition.ResourceSchema(), state.Value, desired, planned)
			state, _ = b.Settled(t, desired, state)
			imported, said := b.Import(t, "alice/g")
			if said != "" {
				t.Fatal(said)
			}
			b.Settled(t, desired, imported)
		}
	})
}

// TestPropertyUnknown: with any part unknown a plan shows as known only what
// the apply then does, and nothing is refused for being unknown.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	d := dataGrant.Definition
	rapid.Check(t, func(t *rapid.T) {
		prior := d.Null()
		if rapid.Bool().Draw(t, "update") {
			given := d.Encode(configs(false).Configurations().Draw(t, "prior").Tree)
			prior = d.Filled(d.Plan(given, d.Null(), definition.PlanOptions{}).Planned, d.Null())
		}
		drawn := configs(true).Configurations().Draw(t, "config").Tree
		open := d.Encode(drawn)
		early := d.Plan(open, prior, definition.PlanOptions{}).Planned
		definitiontest.Legal(t, d.ResourceSchema(), prior, open, early)
		late := d.Plan(d.Encode(configs(true).Resolve(t, drawn).Tree), prior, definition.PlanOptions{}).Planned
		if at, ok := definitiontest.Conforms(early, late, "grant"); !ok {
			t.Fatalf("planned something else than was done: %s", at)
		}
		for _, issue := range dataGrant.Issues(open) {
			t.Fatalf("%s: %s", issue.At, issue.Detail)
		}
	})
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	fast := crudtest.NewFastServer(t, dataGrant, b.c)
	rapid.Check(t, func(t *rapid.T) {
		_ = b.c.API.DeleteDomainDataGrant(t.Context(), key)
		desired := dataGrant.Definition.Encode(configs(false).Configurations().Draw(t, "config").Tree)
		state, said := b.Apply(t, desired, b.None())
		if strings.Contains(said, "ERROR") {
			t.Fatal(said)
		}
		crudtest.Agree(t, b.Server, fast, desired, state)
		other := configs(rapid.Bool().Draw(t, "unknowns")).Configurations().Draw(t, "other").Tree
		crudtest.Agree(t, b.Server, fast, dataGrant.Definition.Encode(other), state)
		if rapid.Bool().Draw(t, "drift") {
			request := &kuscia.DomainDataGrantRequest{
				DomainID: "alice", DomainDataGrantID: "g", DomainDataID: text(state, "domaindata_id"), GrantDomain: text(state, "grant_domain"), Limit: &kuscia.GrantLimit{UseCount: 77},
			}
			if err := b.c.API.UpdateDomainDataGrant(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			crudtest.Agree(t, b.Server, fast, desired, state)
		}
	})
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	crudtest.NewFastServer(t, dataGrant, newBench(t).c).TakesShortcuts(t, config(full()))
}
