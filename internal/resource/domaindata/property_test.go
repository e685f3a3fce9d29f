package domaindata

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations that are valid, except for unknown values
// and problems that only a plan can detect.
func configs(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: domainData.Definition, Fixed: tree{"domain_id": "alice", "domaindata_id": "table", "allow_removal_of": customResource.Named()}, Unknowns: unknowns,
		Texts: map[string][]string{
			"type": {"table", "model"}, "name": {"a", "b"}, "relative_uri": {"a", "dir/b", "dir/", "a b.csv"},
			"datasource_id": {"", "default-data-source", "files"}, "vendor": {"", "manual", "team"},
			"file_format": {"", "UNKNOWN", "CSV", "BINARY"},
		},
	}
}

// TestProperties: any configuration can be applied over any prior state, the plan after an
// import sends nothing, and shortcuts respond as the framework does.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Issues: domainData.Issues, Full: config(full()), Warns: "Domain data is replaced",
		Remove: func() { _ = b.Run.Kuscia.DeleteDomainData(t.Context(), key) },
		Drift: func(t *rapid.T, _ crudtest.State) {
			protocol.NoError(t, b.Run.Kuscia.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "table", Name: "drift"}))
		},
		Each: func(t *rapid.T, config definition.Value, _ crudtest.State) {
			imported := b.Imported(t, "alice/table")
			if plan, planned := b.Plan(t, config, imported); len(plan.RequiresReplace) > 0 || len(domainData.Definition.Sent(imported.Value, planned)) > 0 {
				t.Fatalf("the plan after an import sends a change:\n%s\nstate:\n%s", planned, imported.Value)
			}
		},
	}.Check(t)
}
