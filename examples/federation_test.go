package examples_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func testDomainRoute(t *testing.T, e example) {
	env := fixedNames(t)
	others := map[string]string{"kuscia_domain_route.bob_to_alice": "bob/alice"}
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		Steps: append([]resource.TestStep{e.apply(t)}, e.importSteps(t, "kuscia_domain_route.alice_to_bob", others)...),
	})
	e.testImportByIdentity(t, "kuscia_domain_route.alice_to_bob", others)
}

func testDomainRouteDataSource(t *testing.T, e example) {
	env := fixedNames(t)
	if err := env.API.CreateDomainRoute(t.Context(), &kuscia.DomainRoute{
		Source: "alice", Destination: "bob", AuthenticationType: "Token",
		Endpoint: &kuscia.RouteEndpoint{Host: "gateway.bob.example", Ports: []kuscia.RoutePort{{Name: "http", Port: 1080, Protocol: "HTTP"}}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := env.Sandbox.SetRouteStatus("alice", "bob", true, ""); err != nil {
		t.Fatal(err)
	}
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("alice_to_bob", knownvalue.StringExact("Succeeded"))}
	testReading(t, env, step)
}

func testConfig(t *testing.T, e example) {
	e.variables = config.Variables{"access_key_secret": config.StringVariable("secret")}
	env := fixedNames(t)
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		Steps: append([]resource.TestStep{e.apply(t)}, e.importSteps(t, "kuscia_config.oss", nil)...),
	})
	e.testImportByIdentity(t, "kuscia_config.oss", nil)
}

func testConfigDataSource(t *testing.T, e example) {
	env := fixedNames(t)
	env.Sandbox.PutConfigValue("oss-credentials", `{"bucket":"models"}`)
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("bucket", knownvalue.StringExact("models"))}
	testReading(t, env, step)
}
