package examplestest_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testEdgeNode goes the whole way: the domain, its token to the edge node, the
// node that joins with it, and the route that is ready then. A new version of
// the node is an update that keeps the token; nothing is left at the end.
func testEdgeNode(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := fixedNames(t)
	fabric := edgeFabric(t, "")
	w := edgeWorkspace(t, env, fabric, e)
	values := func(version string) {
		w.Write("values.auto.tfvars", fmt.Sprintf("edge_node_id = \"node-1\"\nmaster_endpoint = \"https://master.example:1080\"\n"+
			"partner = { domain_id = \"bob\", gateway = \"gateway.bob.example\" }\nkuscia_version = %q\n", version))
	}
	values("1.1.0b0")
	w.Init()
	joined := startEdgeNode(t, env, fabric)
	w.Apply()
	if err := <-joined; err != nil {
		t.Fatal(err)
	}
	w.Plan(acctest.PlanEmpty)

	token := deployTokenOf(t, fabric)
	values("1.1.1b0")
	expectIn(t, w.Run(0, "apply", "-auto-approve"), "0 added, 1 changed, 0 destroyed")
	if got := deployTokenOf(t, fabric); got != token {
		t.Error("the update changed the token of the node")
	}
	w.Plan(acctest.PlanEmpty)
	if strings.Contains(w.Read("terraform.tfstate"), token) {
		t.Error("the token is in the state")
	}

	w.Run(0, "destroy", "-auto-approve")
	if fabric.Exists("kuscia-lite-edge-shop") {
		t.Error("the node was not removed")
	}
	if _, err := env.API.QueryDomain(t.Context(), "edge-shop"); !errors.Is(err, kuscia.ErrNotFound) {
		t.Errorf("the domain is left: %v", err)
	}
	for _, pair := range [][2]string{{"edge-shop", "bob"}, {"bob", "edge-shop"}} {
		if _, err := env.API.QueryDomainRoute(t.Context(), kuscia.DomainRouteKey{Source: pair[0], Destination: pair[1]}); !errors.Is(err, kuscia.ErrNotFound) {
			t.Errorf("the route %v is left: %v", pair, err)
		}
	}
}

// testEdgeNodeWithoutWriteOnly: the token of the first node stays the one that
// the node gets, also when Kuscia has made another one.
func testEdgeNodeWithoutWriteOnly(t *testing.T, e example) {
	env := fixedNames(t)
	fabric := edgeFabric(t, "")
	w := edgeWorkspace(t, env, fabric, e)
	w.Init()
	joined := startEdgeNode(t, env, fabric)
	w.DestroyAtEnd()
	w.Apply()
	if err := <-joined; err != nil {
		t.Fatal(err)
	}
	waitTokens(t, env, "edge-shop", 2)
	w.Plan(acctest.PlanEmpty)
}

// waitTokens waits until a domain has so many deploy tokens.
func waitTokens(t *testing.T, env *acctest.Env, id string, count int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		domain, err := env.API.QueryDomain(t.Context(), id)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("domain %s has not got %d tokens: %+v %v", id, count, domain, err)
		}
		if len(domain.DeployTokenStatuses) == count {
			return
		}
	}
}

// edgeWorkspace has the files of an example, with the simulated IEF in the
// provider block.
func edgeWorkspace(t *testing.T, env *acctest.Env, fabric *ief.Server, e example) *acctest.Workspace {
	t.Helper()
	w := env.NewWorkspace(t)
	for _, file := range e.configuration {
		w.Write(filepath.Base(file), strings.Replace(string(e.read(t, file)), "provider \"kuscia\" {}\n", edgeProvider(fabric), 1))
	}
	return w
}

// startEdgeNode does what the container does when IEF starts it: it joins its
// domain, which takes the token that the domain has.
func startEdgeNode(t *testing.T, env *acctest.Env, fabric *ief.Server) <-chan error {
	t.Helper()
	joined := make(chan error, 1)
	go func() {
		for ; !fabric.Exists("kuscia-lite-edge-shop"); time.Sleep(20 * time.Millisecond) {
			if t.Context().Err() != nil {
				joined <- t.Context().Err()
				return
			}
		}
		domain, err := env.API.QueryDomain(t.Context(), "edge-shop")
		if got := deployTokenOf(t, fabric); err == nil && (len(domain.DeployTokenStatuses) != 1 || domain.DeployTokenStatuses[0].Token != got) {
			err = fmt.Errorf("the node has the token %q, which the domain does not have", got)
		}
		if err == nil {
			err = env.Sandbox.JoinNode("edge-shop")
		}
		joined <- err
	}()
	return joined
}

// deployTokenOf is the token that IEF hands to the edge node.
func deployTokenOf(t *testing.T, fabric *ief.Server) string {
	t.Helper()
	client, err := edgeClient(fabric)
	if err != nil {
		t.Error(err)
		return ""
	}
	listed, err := client.List(context.Background(), api.Scope{Version: api.V3}, api.Filter{Name: "kuscia-lite-edge-shop"}, 0)
	if err != nil || len(listed) != 1 {
		t.Errorf("%d deployments: %v", len(listed), err)
		return ""
	}
	found, err := client.Get(context.Background(), api.Scope{Version: api.V3}, listed[0].ID)
	if err != nil {
		t.Error(err)
		return ""
	}
	for _, env := range found.Template.Containers[0].Envs {
		if env.Name == "DEPLOY_TOKEN" && env.Value != nil {
			return *env.Value
		}
	}
	t.Error("the node has no token")
	return ""
}
