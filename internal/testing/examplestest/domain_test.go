package examplestest_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

var (
	_ = testedBy("resources/kuscia_domain", testDomain)
	_ = testedBy("ephemeral-resources/kuscia_domain_deploy_token", testDeployToken)
	_ = readBy(map[string]map[string]any{
		"data-sources/kuscia_domain":  {"nodes": map[string]any{"alice-bank-node": "Ready"}},
		"data-sources/kuscia_domains": {"missing": []any{"carol-bank"}},
	}, func(t *testing.T, env *acctest.Env) {
		t.Helper()
		makeDomain(t, env, "alice-bank")
	})
)

func testDomain(t *testing.T, e example) {
	env := fixedNames(t)
	before := env.Sandbox.DomainIDs()
	manage(t, env, e, "", "kuscia_domain.alice_bank", map[string]string{"kuscia_domain.partner": "carol-bank"}).importAll(t)
	if left := env.Sandbox.DomainIDs(); !slices.Equal(left, before) {
		t.Errorf("left: %v", left)
	}
}

func makeDomain(t *testing.T, env *acctest.Env, id string) {
	t.Helper()
	if err := env.API.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: id}); err != nil {
		t.Fatal(err)
	}
	if err := env.Sandbox.JoinNode(id); err != nil {
		t.Fatal(err)
	}
}

func testDeployToken(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := fixedNames(t)
	w := env.NewWorkspace(t)
	for _, file := range e.configuration {
		w.Write(filepath.Base(file), string(e.read(t, file)))
	}
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	found, err := env.API.QueryDomain(t.Context(), "alice-bank")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Read("deploy-token"); len(found.DeployTokenStatuses) != 1 || got != found.DeployTokenStatuses[0].Token {
		t.Errorf("%q was handed over, and the domain has %d tokens", got, len(found.DeployTokenStatuses))
	}
	w.Plan(acctest.PlanEmpty)
}
