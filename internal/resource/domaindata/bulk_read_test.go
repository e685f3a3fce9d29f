package domaindata

import (
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestBulkRead: a refresh of ten domain data sends few requests.
func TestBulkRead(t *testing.T) {
	t.Parallel()
	each := 100
	if testing.Short() {
		each = 20
	}
	var domains []string
	for i := range 10 {
		domains = append(domains, fmt.Sprint("domain-", i))
	}
	b := newBenchOf(t, sandbox.Options{Domains: domains})
	var states []crudtest.State
	for i := range each {
		for _, domain := range domains {
			id := fmt.Sprint("table-", i)
			request := &kuscia.DomainDataRequest{DomainID: domain, DomainDataID: id, Type: "table", RelativeURI: "data", Attributes: map[string]string{"a": "1"}}
			if _, err := b.Clients.Kuscia.CreateDomainData(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			if len(states) == 0 {
				first := b.Imported(t, domain+"/"+id)
				states = append(states, first)
				continue
			}
			states = append(states, states[0].With(map[string]string{"id": domain + "/" + id, "domain_id": domain, "domaindata_id": id, "author": domain}))
		}
	}
	crudtest.Many{
		Server:   func() *crudtest.Server { return b.FastInNewRun(t) },
		States:   states,
		Requests: b.Requests,
		Most:     50,
		Drift: func() (int, string) {
			update := &kuscia.DomainDataRequest{DomainID: "domain-7", DomainDataID: "table-12", Name: "drift"}
			if err := b.Clients.Kuscia.UpdateDomainData(t.Context(), update); err != nil {
				t.Fatal(err)
			}
			return 127, "name"
		},
	}.ReadTogether(t)
}
