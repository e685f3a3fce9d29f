package faulttest_test

import (
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestRandomExternalEdits changes and deletes objects between a plan and its apply, as
// another client does. The apply does what was planned or reports the conflict,
// and the next apply converges.
func TestRandomExternalEdits(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 100, func(t *testing.T, seed uint64) {
		a := generator{mathrand.New(mathrand.NewPCG(seed, 4))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice", Seed: seed})
		was := b.left()
		var d generatedConfig
		for range 3 {
			before := d
			d = a.whole(before)
			if !b.appliesAfter(t, a, d) || !b.takes(t, d, before) {
				return
			}
		}
		if o := b.terraform.apply(); !o.ok() {
			t.Errorf("destroy: %s", o.text())
		}
		if left := b.left(); left != was {
			t.Errorf("objects on the server after destroy: %s, want those of the start: %s", left, was)
		}
	})
}

// appliesAfter applies a plan after another client has changed an object.
func (b *testbed) appliesAfter(t *testing.T, a generator, d generatedConfig) bool {
	t.Helper()
	o, changes := b.terraform.plan(d.resources()...)
	if !o.ok() {
		t.Errorf("plan: %s", o.text())
		return false
	}
	for _, address := range slices.Sorted(maps.Keys(b.terraform.state)) {
		if a.chance(25) {
			if err := b.meddle(t, a, b.terraform.state[address]); err != nil && !errors.Is(err, kuscia.ErrNotFound) && kuscia.CodeOf(err) != kuscia.CodeInvalid {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
	w := b.terraform.begin(o)
	for address, object := range b.terraform.state {
		w.known[address] = object.value
	}
	w.apply(changes)
	for _, p := range o.errors {
		if p.summary == providerFault || len(p.detail) < 20 {
			t.Errorf("apply (%s): %s\n%s", o.changes(), o.text(), d.of(o.errors))
			return false
		}
	}
	return true
}

// meddle changes or deletes an object outside of Terraform. A grant without its
// data cannot be changed.
func (b *testbed) meddle(t *testing.T, a generator, o *object) error {
	t.Helper()
	api := newClient(t, b.server)
	id := func(name string) string { return protocol.Text(protocol.Fields(o.value)[name]) }
	gone := a.chance(40)
	drift := "drift"
	switch o.typeName {
	case "kuscia_domain":
		if gone {
			return api.DeleteDomain(t.Context(), id("domain_id"))
		}
		return api.UpdateDomain(t.Context(), &kuscia.DomainRequest{DomainID: id("domain_id"), Role: driftRole(id("role"))})
	case "kuscia_domain_route":
		return api.DeleteDomainRoute(t.Context(), kuscia.DomainRouteKey{Source: id("source"), Destination: id("destination")})
	case "kuscia_config":
		if gone {
			return api.DeleteConfig(t.Context(), id("key"))
		}
		return api.UpdateConfig(t.Context(), kuscia.ConfigEntry{Key: id("key"), Value: `{"endpoint":"drift"}`})
	case "kuscia_domain_data_source":
		if gone {
			return api.DeleteDomainDataSource(t.Context(), kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: id("datasource_id")})
		}
		return api.UpdateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: id("datasource_id"), Name: &drift})
	case "kuscia_domain_data":
		if gone {
			return api.DeleteDomainData(t.Context(), kuscia.DomainDataKey{DomainID: "alice", DomainDataID: id("domaindata_id")})
		}
		return api.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{
			DomainID: "alice", DomainDataID: id("domaindata_id"), Columns: []kuscia.DataColumn{{Name: drift, Type: "str"}}, Attributes: map[string]string{drift: drift}, FileFormat: "CSV",
		})
	case "kuscia_domain_data_grant":
		if gone {
			return api.DeleteDomainDataGrant(t.Context(), kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: id("domaindatagrant_id")})
		}
		return api.UpdateDomainDataGrant(t.Context(), &kuscia.DomainDataGrantRequest{
			DomainID: "alice", DomainDataGrantID: id("domaindatagrant_id"), DomainDataID: id("domaindata_id"), GrantDomain: id("grant_domain"), Limit: &kuscia.GrantLimit{UseCount: 99},
		})
	default:
		return fmt.Errorf("unknown resource type %s", o.typeName)
	}
}
