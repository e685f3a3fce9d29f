package domain

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestBatchHidesDrift explains why domains are refreshed one by one. The only
// response for many domains, domain/batchQuery, is identical before and after
// another client changes auth_center or master_domain_id, while the refresh of
// a single domain shows the drift of exactly that attribute.
func TestBatchHidesDrift(t *testing.T) {
	t.Parallel()
	const count = 6 // more than are read one by one if a bulk read is available
	_, c := sandboxtest.Start(t, sandbox.Options{})
	server := crudtest.NewServer(t, domain, c)
	var ids []string
	var states []crudtest.State
	for i := range count {
		id := fmt.Sprint("many-", i)
		state, _ := server.ApplyAndVerify(t, domain.Definition.Encode(tree{attrDomainID: id, attrAuthCenter: tree{attrAuthType: "Token", attrTokenGen: "RSA-GEN"}}), server.None())
		ids, states = append(ids, id), append(states, state)
	}
	for drifted, test := range []struct {
		attribute string
		change    kuscia.DomainRequest
	}{
		{attrAuthCenter, kuscia.DomainRequest{AuthCenter: &kuscia.AuthCenter{AuthenticationType: "None", TokenGenMethod: "RSA-GEN"}}},
		{attrAuthCenter, kuscia.DomainRequest{}},
		{attrMaster, kuscia.DomainRequest{AuthCenter: &kuscia.AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"}, MasterDomainID: "alice"}},
	} {
		before, err := c.Kuscia.BatchQueryDomains(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		test.change.DomainID = ids[drifted]
		if err := c.Kuscia.UpdateDomain(t.Context(), &test.change); err != nil {
			t.Fatal(err)
		}
		if after, err := c.Kuscia.BatchQueryDomains(t.Context(), ids); err != nil || !reflect.DeepEqual(after, before) {
			t.Errorf("domain/batchQuery now shows a change of %s: use it for bulk reads (%v)", test.attribute, err)
		}
		for name, refresh := range map[string]*crudtest.Server{"framework": crudtest.NewServer(t, domain, clients.New(c.Kuscia)), "shortcut": crudtest.NewFastServer(t, domain, clients.New(c.Kuscia))} {
			for i, read := range refresh.ReadMany(t, states) {
				differs := read.Value.Equal(states[i].Value) != (i != drifted)
				others := definition.FieldsOf(states[i].Value)
				for attribute, value := range definition.FieldsOf(read.Value) {
					differs = differs || attribute != test.attribute && !value.Equal(others[attribute])
				}
				if differs {
					t.Errorf("%s: after a change of %s of domain %d, domain %d reads as\n%s\nwas\n%s", name, test.attribute, drifted, i, read.Value, states[i].Value)
				}
			}
		}
		states[drifted] = server.ReadMany(t, states[drifted:drifted+1])[0]
	}
}
