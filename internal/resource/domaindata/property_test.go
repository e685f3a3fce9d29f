package domaindata

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

// configs draws configurations that are valid, but for unknown values and what
// only a plan can refuse.
func configs(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: domainData.Definition, Fixed: tree{"domain_id": "alice", "domaindata_id": "table"}, Unknowns: unknowns,
		Texts: map[string][]string{
			"type": {"table", "model"}, "name": {"a", "b"}, "relative_uri": {"a", "dir/b", "dir/", "a b.csv"},
			"datasource_id": {"", "default-data-source", "files"}, "vendor": {"", "manual", "team"},
			"file_format": {"", "UNKNOWN", "CSV", "BINARY"},
		},
	}
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// it is applied, reads back as planned, and the next plan is empty; an import
// plans nothing; another spelling of the same sends nothing.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rapid.Check(t, func(t *rapid.T) {
		_ = b.c.API.DeleteDomainData(t.Context(), key)
		state := b.None()
		for i := range 3 {
			desired := domainData.Definition.Encode(configs(false).Configurations().Draw(t, fmt.Sprint("config ", i)).Tree)
			_, planned := b.Plan(t, desired, state)
			definitiontest.Legal(t, domainData.Definition.ResourceSchema(), state.Value, desired, planned)
			state, _ = b.Settled(t, desired, state)
			imported, said := b.Import(t, "alice/table")
			if said != "" {
				t.Fatal(said)
			}
			if changes, replaces := b.Changes(t, desired, imported); len(changes) > 0 || replaces {
				t.Fatalf("the plan after an import changes %v", changes)
			}
		}
	})
}

// TestPropertyUnknown: with any part of a configuration unknown the plan is
// legal, and what it shows as known is what the apply then does.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	d := domainData.Definition
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
		known := d.Encode(configs(true).Resolve(t, drawn).Tree)
		late := d.Plan(known, prior, definition.PlanOptions{}).Planned
		if at, ok := definitiontest.Conforms(early, late, "domain data"); !ok {
			t.Fatalf("planned something else than was done: %s", at)
		}
		for _, issue := range domainData.Issues(open) {
			t.Fatalf("%s: %s", issue.At, issue.Detail)
		}
	})
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	fast := crudtest.NewFastServer(t, domainData, b.c)
	rapid.Check(t, func(t *rapid.T) {
		_ = b.c.API.DeleteDomainData(t.Context(), key)
		desired := domainData.Definition.Encode(configs(false).Configurations().Draw(t, "config").Tree)
		state, said := b.Apply(t, desired, b.None())
		if strings.Contains(said, "ERROR") {
			t.Fatal(said)
		}
		crudtest.Agree(t, b.Server, fast, desired, state)
		other := configs(rapid.Bool().Draw(t, "unknowns")).Configurations().Draw(t, "other").Tree
		crudtest.Agree(t, b.Server, fast, domainData.Definition.Encode(other), state)
		if rapid.Bool().Draw(t, "drift") {
			if err := b.c.API.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "table", Name: "drift"}); err != nil {
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
	crudtest.NewFastServer(t, domainData, newBench(t).c).TakesShortcuts(t, config(full()))
}
