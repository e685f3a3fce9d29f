package examplestest_test

import (
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// nodeOfAlice is the autonomy node of alice.
func nodeOfAlice(t *testing.T) *acctest.Env {
	t.Helper()
	return acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"})
}

// testDataSource imports the folder. An import of the bucket reads its keys into
// the state, from where the write-only form takes them out again.
func testDataSource(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := nodeOfAlice(t)
	variables := fmt.Sprintf("alice_endpoint = %q\nbucket_key = { id = \"id\", secret = \"secret\" }\n", env.Sandbox.Endpoint())
	manage(t, env, e, variables, "kuscia_domain_data_source.folder", nil).importAll(t)
	if left := env.Sandbox.DataSourceNames("alice"); len(left) != 1 {
		t.Errorf("left: %v, want the one that the node made", left)
	}
}

func testDataSourceList(t *testing.T, e example) {
	queryable(t)
	testQuery(t, nodeOfAlice(t), e, []string{"default-data-source"}, nil)
}
