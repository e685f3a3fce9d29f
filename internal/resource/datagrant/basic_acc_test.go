package datagrant_test

import (
	"context"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// newObject returns a grant of a table of alice to bob.
func newObject(e *acctest.Env) acctest.Object {
	id, data := e.Name("grant"), kuscia.DomainDataKey{DomainID: "alice", DomainDataID: e.Name("table")}
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		_, err := api.CreateDomainData(ctx, &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: data.DomainDataID, Type: "table", RelativeURI: "table.csv"})
		return err
	})()
	e.Cleanup(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomainData(ctx, data) })
	key := kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: id}
	return acctest.Object{
		Address: "kuscia_domain_data_grant.test", ID: "alice/" + id, Identity: map[string]string{"domain_id": "alice", "domaindatagrant_id": id},
		Config: acctest.Block("kuscia_domain_data_grant", "test", map[string]any{
			"domain_id": "alice", "domaindatagrant_id": id, "domaindata_id": data.DomainDataID, "grant_domain": "bob", "limit": map[string]any{"flow_id": "flow"},
		}),
		Create: func(ctx context.Context, api *kuscia.Client) error {
			_, err := api.CreateDomainDataGrant(ctx, &kuscia.DomainDataGrantRequest{
				DomainID: "alice", DomainDataGrantID: id, DomainDataID: data.DomainDataID, GrantDomain: "bob", Limit: &kuscia.GrantLimit{UseCount: 7},
			})
			return err
		},
		Query:  func(ctx context.Context, api *kuscia.Client) (any, error) { return api.QueryDomainDataGrant(ctx, key) },
		Delete: func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomainDataGrant(ctx, key) },
	}
}

// newEnv is a Kuscia that stores domain data of alice.
func newEnv(tb testing.TB) *acctest.Env {
	tb.Helper()
	e := acctest.New(tb)
	e.RequireDefaultDataSource(tb, "alice")
	return e
}

func TestAccDomainDataGrant_object(t *testing.T) {
	t.Parallel()
	acctest.TestObject(t, newEnv, newObject)
}
