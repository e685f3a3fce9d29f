package domaindata

import (
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

// property is the data "table" with what their properties are checked with.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t)
	return b, crudtest.Property{Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Remove: func() {
		_ = b.Clients.API.DeleteDomainData(t.Context(), key)
	}}
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// it is applied, reads back as planned, and the next plan is empty; an import
// plans nothing.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.Sequence(t, func(t *rapid.T, config definition.Value, _ crudtest.State) {
		if changes, replaces := b.Changes(t, config, b.Imported(t, "alice/table")); len(changes) > 0 || replaces {
			t.Fatalf("the plan after an import changes %v", changes)
		}
	})
}

// TestPropertyUnknown: a plan with unknown values holds, and nothing is refused
// for being unknown.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{Generator: configs, Issues: domainData.Issues, Valid: true}.Check(t)
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.ShortcutsAgree(t, func(t *rapid.T, _ crudtest.State) {
		if err := b.Clients.API.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "table", Name: "drift"}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	newBench(t).Fast(t).CheckFastPath(t, config(full()))
}
