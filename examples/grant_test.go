package examples_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testGrant also replaces the data: the grant is made again in the same apply.
func testGrant(t *testing.T, e example) {
	env := fixedNames(t)
	others := map[string]string{"kuscia_domain_data.scores": "alice/scores"}
	replaced := e.apply(t)
	replaced.ConfigDirectory = config.StaticDirectory(withFormat(t, e, "CSV"))
	back := e.apply(t)
	back.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{
		plancheck.ExpectResourceAction("kuscia_domain_data.scores", plancheck.ResourceActionReplace),
		plancheck.ExpectResourceAction("kuscia_domain_data_grant.scores_to_bob", plancheck.ResourceActionReplace),
	}
	steps := []resource.TestStep{e.apply(t), replaced, back}
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		Steps: append(steps, e.importSteps(t, "kuscia_domain_data_grant.scores_to_bob", others)...),
	})
	e.testImportByIdentity(t, "kuscia_domain_data_grant.scores_to_bob", others)
}

// withFormat is the folder of the example whose data have a file format, which
// only new data can lose.
func withFormat(t *testing.T, e example, format string) string {
	t.Helper()
	dir := e.folder(t, e.configuration, nil)
	file := filepath.Join(dir, "resource.tf")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "relative_uri  =", "file_format   = \""+format+"\"\n  relative_uri  =", 1)
	if changed == string(text) {
		t.Fatal("the example has no relative_uri")
	}
	write(t, file, changed)
	return dir
}

// makeGrant gives a data source a grant of alice to bob that is ready.
func makeGrant(t *testing.T, env *acctest.Env) {
	t.Helper()
	makeDomainData(t, env, "scores", "table")
	_, err := env.API.CreateDomainDataGrant(t.Context(), &kuscia.DomainDataGrantRequest{
		DomainID: "alice", DomainDataGrantID: "scores-to-bob", DomainDataID: "scores", GrantDomain: "bob",
	})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		found, err := env.API.QueryDomainDataGrant(t.Context(), kuscia.DomainDataGrantKey{DomainID: "bob", DomainDataGrantID: "scores-to-bob"})
		if err == nil && found.Status.Phase == kuscia.GrantReady {
			return
		}
		if time.Now().After(deadline) || err != nil && !errors.Is(err, kuscia.ErrNotFound) {
			t.Fatal(found, err)
		}
	}
}

func testGrantList(t *testing.T, e example) {
	env := queryable(t)
	makeGrant(t, env)
	testQuery(t, env, e, []string{"scores-to-bob"}, nil)
}
