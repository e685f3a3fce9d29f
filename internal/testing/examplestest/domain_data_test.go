package examplestest_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func testDomainData(t *testing.T, e example) {
	env := fixedNames(t)
	manage(t, env, e, "", "kuscia_domain_data.scores", map[string]string{"kuscia_domain_data.model": "alice/fraud"}).importAll(t)
	if left := env.Sandbox.DomainDataNames("alice"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// makeDomainData gives a data source a table of alice to read.
func makeDomainData(t *testing.T, env *acctest.Env, id, kind string) {
	t.Helper()
	_, err := env.API.CreateDomainData(t.Context(), &kuscia.DomainDataRequest{
		DomainID: "alice", DomainDataID: id, Type: kind, RelativeURI: id + "/2026.csv", Columns: []kuscia.DataColumn{{Name: "id", Type: "str"}, {Name: "score", Type: "float"}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func testDomainDataList(t *testing.T, e example) {
	env := queryable(t)
	makeDomainData(t, env, "scores", "table")
	makeDomainData(t, env, "fraud", "model")
	testQuery(t, env, e, []string{"scores"}, []string{"fraud"})
}

// queryable is a Kuscia for a test that runs terraform query, or skips it.
func queryable(t *testing.T) *acctest.Env {
	t.Helper()
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
	return fixedNames(t)
}

// testQuery runs the query of an example: what it finds is imported with the
// generated configuration, and plans nothing else.
func testQuery(t *testing.T, env *acctest.Env, e example, found, not []string) {
	t.Helper()
	w := workspace(t, env, e)
	w.Write("provider.tf", acctest.RequiredProvider+acctest.ProviderBlock(nil))
	w.Init()
	output := w.Run(0, "query", "-generate-config-out=found.tf")
	for _, id := range found {
		if !strings.Contains(output, id) {
			t.Errorf("%s is not found:\n%s", id, output)
		}
	}
	for _, id := range not {
		if strings.Contains(output, id) {
			t.Errorf("%s is found:\n%s", id, output)
		}
	}
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the generated configuration changes something:\n%s", plan)
	}
}
