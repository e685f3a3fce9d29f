package examplestest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

var (
	_ = testedBy("resources/kuscia_domain_data_grant", testGrant)
	_ = testedBy("list-resources/kuscia_domain_data_grant", testGrantList)
)

func testGrant(t *testing.T, e example) {
	env := fixedNames(t)
	m := manage(t, env, e, "", "kuscia_domain_data_grant.scores_to_bob", map[string]string{"kuscia_domain_data.scores": "alice/scores"})
	plain := m.w.Read("resource.tf")
	changed := strings.Replace(plain, "relative_uri  =", "file_format   = \"CSV\"\n  relative_uri  =", 1)
	if changed == plain {
		t.Fatal("the example has no relative_uri")
	}
	m.w.Write("resource.tf", changed)
	expectIn(t, m.w.Run(0, "apply", "-auto-approve"), "0 added, 1 changed, 0 destroyed.")
	m.w.Write("resource.tf", plain) // only new data can lose the format
	expectIn(t, m.w.Run(0, "apply", "-auto-approve"), "2 added, 0 changed, 2 destroyed.")
	m.w.Plan(acctest.PlanEmpty)
	m.importAll(t)
	if left := env.Sandbox.GrantFlows("alice"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
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
