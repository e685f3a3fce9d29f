package datagrant

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations that are valid except for unknown values.
func configs(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: dataGrant.Definition, Unknowns: unknowns,
		Fixed: tree{"domain_id": "alice", "domaindatagrant_id": "g"},
		Texts: map[string][]string{
			"domaindata_id": {"table", "other"}, "grant_domain": {"bob", "carol"}, "signature": {""},
			"expiration_time": {"2040-01-31T10:00:00+02:00", "2040-01-31T08:00:00Z", "2051-01-01T00:00:00Z"},
		},
	}
}

// property describes the grant "g" for property tests.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t)
	return b, crudtest.Property{Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Remove: func() {
		_ = b.Clients.Kuscia.DeleteDomainDataGrant(t.Context(), key)
	}}
}

// TestPropertySequence: any configuration can be applied over any prior state,
// reads back as planned, and the next plan is empty, also after an import
// followed by an apply.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.Sequence(t, func(t *rapid.T, config definition.Value, _ crudtest.State) {
		b.ApplyAndVerify(t, config, b.Imported(t, "alice/g"))
	})
}

// TestPropertyUnknown: plans with unknown values are consistent with the apply,
// and unknown values are not rejected.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{Generator: configs, Issues: dataGrant.Issues, Valid: true}.Check(t)
}

// TestShortcutsAgree: responses with and without shortcuts are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.ShortcutsAgree(t, func(t *rapid.T, state crudtest.State) {
		request := &kuscia.DomainDataGrantRequest{
			DomainID: "alice", DomainDataGrantID: "g", DomainDataID: state.Text("domaindata_id"), GrantDomain: state.Text("grant_domain"), Limit: &kuscia.GrantLimit{UseCount: 77},
		}
		if err := b.Clients.Kuscia.UpdateDomainDataGrant(t.Context(), request); err != nil {
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
