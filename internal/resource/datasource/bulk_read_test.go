package datasource

import (
	"errors"
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestBulkRead: the data sources of a domain are refreshed with few requests,
// with their keys. If one of them is unreadable, the list fails and each is
// queried alone.
func TestBulkRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	info := func(secret string) *kuscia.DataSourceInfo {
		return &kuscia.DataSourceInfo{OSS: &kuscia.OSSInfo{Endpoint: "oss.example", Bucket: "b", AccessKeyID: "i", AccessKeySecret: secret}}
	}
	var states []crudtest.State
	for i := range 50 {
		id := fmt.Sprint("source-", i)
		request := &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: id, Type: kuscia.DataSourceOSS, Info: info("secret-s")}
		if _, err := b.Clients.Kuscia.CreateDomainDataSource(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if len(states) == 0 {
			first := b.Imported(t, "alice/"+id)
			states = append(states, first)
			continue
		}
		states = append(states, states[0].With(map[string]string{"id": "alice/" + id, "datasource_id": id}))
	}
	newKey := "new-secret"
	many := crudtest.Many{
		Server:   func() *crudtest.Server { return b.FastInNewRun(t) },
		States:   states,
		Requests: b.Requests,
		Most:     4,
		Drift: func() (int, string) {
			newKey += "er"
			update := &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: "source-42", Type: kuscia.DataSourceOSS, Info: info(newKey)}
			if err := b.Clients.Kuscia.UpdateDomainDataSource(t.Context(), update); err != nil {
				t.Fatal(err)
			}
			return 42, "oss"
		},
	}
	many.ReadTogether(t)

	dbKey := "db"
	if _, err := b.Clients.Kuscia.CreateDomainDataSource(t.Context(), &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: "broken", Type: kuscia.DataSourceMySQL, InfoKey: &dbKey}); err != nil {
		t.Fatal(err)
	}
	if err := b.Clients.Kuscia.DeleteConfig(t.Context(), dbKey); err != nil {
		t.Fatal(err)
	}
	// The node forgets the key a moment later.
	sandboxtest.Eventually(t, "the end of the key", func() bool {
		_, err := b.Clients.Kuscia.ListDomainDataSources(t.Context(), "alice")
		return errors.Is(err, kuscia.ErrUnreadable)
	})
	many.States[42] = many.Server().ReadMany(t, many.States[42:43])[0]
	many.Most = 51
	many.ReadTogether(t)
}
