package datagrant

import (
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestBulkRead: a refresh of the grants of a domain sends few requests.
func TestBulkRead(t *testing.T) {
	t.Parallel()
	count := short.Count(100, 1000)
	b := newBench(t)
	var states []crudtest.State
	for i := range count {
		id := fmt.Sprint("grant-", i)
		request := &kuscia.DomainDataGrantRequest{DomainID: "alice", DomainDataGrantID: id, DomainDataID: "table", GrantDomain: "bob", Limit: &kuscia.GrantLimit{UseCount: 3}}
		if _, err := b.Run.Kuscia.CreateDomainDataGrant(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if len(states) == 0 {
			first := b.Imported(t, "alice/"+id)
			states = append(states, first)
			continue
		}
		states = append(states, states[0].With(map[string]string{"id": "alice/" + id, "domaindatagrant_id": id}))
	}
	crudtest.Many{
		Server:   func() *crudtest.Server { return b.FastInNewRun(t) },
		States:   states,
		Requests: b.Requests,
		Most:     4,
		Drift: func() (int, string) {
			update := &kuscia.DomainDataGrantRequest{DomainID: "alice", DomainDataGrantID: "grant-42", DomainDataID: "table", GrantDomain: "bob", Limit: &kuscia.GrantLimit{UseCount: 4}}
			protocol.NoError(t, b.Run.Kuscia.UpdateDomainDataGrant(t.Context(), update))
			return 42, "limit"
		},
	}.ReadTogether(t)
}
