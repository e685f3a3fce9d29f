package datagrant

import (
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

// property is the grant "g" with what its properties are checked with.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t)
	return b, crudtest.Property{Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Remove: func() {
		_ = b.Clients.API.DeleteDomainDataGrant(t.Context(), key)
	}}
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// it is applied, reads back as planned, and the next plan is empty, also after
// an import and an apply.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.Sequence(t, func(t *rapid.T, config definition.Value, _ crudtest.State) {
		b.ApplyAndVerify(t, config, b.Imported(t, "alice/g"))
	})
}

// TestPropertyUnknown: a plan with unknown values holds, and nothing is refused
// for being unknown.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{Generator: configs, Issues: dataGrant.Issues, Valid: true}.Check(t)
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.ShortcutsAgree(t, func(t *rapid.T, state crudtest.State) {
		request := &kuscia.DomainDataGrantRequest{
			DomainID: "alice", DomainDataGrantID: "g", DomainDataID: state.Text("domaindata_id"), GrantDomain: state.Text("grant_domain"), Limit: &kuscia.GrantLimit{UseCount: 77},
		}
		if err := b.Clients.API.UpdateDomainDataGrant(t.Context(), request); err != nil {
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
