package domaindata

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations that are valid, except for unknown values
// and problems that only a plan can detect.
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

// property describes the data "table" for property tests.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t)
	return b, crudtest.Property{Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Remove: func() {
		_ = b.Clients.Kuscia.DeleteDomainData(t.Context(), key)
	}}
}

// TestPropertySequence: any configuration can be applied over any prior state,
// reads back as planned, the plan after the apply is empty, and that after an import
// sends nothing.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.Sequence(t, func(t *rapid.T, config definition.Value, _ crudtest.State) {
		imported := b.Imported(t, "alice/table")
		if plan, planned := b.Plan(t, config, imported); len(plan.RequiresReplace) > 0 || len(domainData.Definition.Sent(imported.Value, planned)) > 0 {
			t.Fatalf("the plan after an import sends a change:\n%s\nstate:\n%s", planned, imported.Value)
		}
	})
}

// TestPropertyUnknown: plans with unknown values are consistent with the apply,
// and unknown values are not rejected.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{Generator: configs, Issues: domainData.Issues, Valid: true}.Check(t)
}

// TestShortcutsAgree: responses with and without shortcuts are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.ShortcutsAgree(t, func(t *rapid.T, _ crudtest.State) {
		if err := b.Clients.Kuscia.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "table", Name: "drift"}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without
// changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	newBench(t).Fast(t).CheckFastPath(t, config(full()))
}
