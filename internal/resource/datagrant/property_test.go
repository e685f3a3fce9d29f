package datagrant

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations that are valid except for unknown values.
func configs(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: dataGrant.Definition, Unknowns: unknowns,
		Fixed: tree{"domain_id": "alice", "domaindatagrant_id": "g", "allow_removal_of": customResource.Named()},
		Texts: map[string][]string{
			"domaindata_id": {"table", "other"}, "grant_domain": {"bob", "carol"}, "signature": {""},
			"expiration_time": {"2040-01-31T10:00:00+02:00", "2040-01-31T08:00:00Z", "2051-01-01T00:00:00Z"},
		},
	}
}

// TestProperties: any configuration can be applied over any prior state, also after an
// import, and shortcuts respond as the framework does.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Issues: dataGrant.Issues, Full: config(full()),
		Remove: func() { _ = b.Run.Kuscia.DeleteDomainDataGrant(t.Context(), key) },
		Drift: func(t *rapid.T, state crudtest.State) {
			request := &kuscia.DomainDataGrantRequest{
				DomainID: "alice", DomainDataGrantID: "g", DomainDataID: state.Text("domaindata_id"), GrantDomain: state.Text("grant_domain"), Limit: &kuscia.GrantLimit{UseCount: 77},
			}
			protocol.NoError(t, b.Run.Kuscia.UpdateDomainDataGrant(t.Context(), request))
		},
		Each: func(t *rapid.T, config definition.Value, _ crudtest.State) {
			b.ApplyAndVerify(t, config, b.Imported(t, "alice/g"))
		},
	}.Check(t)
}
