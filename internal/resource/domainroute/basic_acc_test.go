package domainroute_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const address = "kuscia_domain_route.test"

// ends creates two domains for the test.
func ends(e *acctest.Env) kuscia.DomainRouteKey {
	key := kuscia.DomainRouteKey{Source: e.Name("from"), Destination: e.Name("to")}
	for _, id := range []string{key.Source, key.Destination} {
		e.Do(func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: id})
		})()
		e.Cleanup(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomain(ctx, id) })
	}
	return key
}

// route returns a configuration; the lines in more replace the token
// configuration.
func route(key kuscia.DomainRouteKey, more string) string {
	if more == "" {
		more = `authentication_type = "Token"`
	}
	return acctest.Block("kuscia_domain_route", "test", map[string]any{
		"source": key.Source, "destination": key.Destination, "endpoint": endpoint("gateway.example", 1080), "more": acctest.Lines(more),
	})
}

// endpoint returns the endpoint of a gateway.
func endpoint(host, port any) map[string]any {
	return map[string]any{"host": host, "ports": []any{map[string]any{"name": "http", "port": port, "protocol": "HTTP"}}}
}

func object(key kuscia.DomainRouteKey) acctest.Object {
	return acctest.Object{
		Address: address, Config: route(key, ""), ID: key.ID(), Identity: map[string]string{"source": key.Source, "destination": key.Destination},
		Create: func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateDomainRoute(ctx, &kuscia.DomainRoute{
				Source: key.Source, Destination: key.Destination, AuthenticationType: "Token",
				Endpoint: &kuscia.RouteEndpoint{Ports: []kuscia.RoutePort{{Name: "http", Port: 1080, Protocol: "HTTPS"}}},
			})
		},
		Query:  func(ctx context.Context, api *kuscia.Client) (any, error) { return api.QueryDomainRoute(ctx, key) },
		Delete: func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomainRoute(ctx, key) },
	}
}

func TestAccDomainRoute_object(t *testing.T) {
	t.Parallel()
	acctest.TestObject(t, acctest.New, func(e *acctest.Env) acctest.Object { return object(ends(e)) })
}

func TestAccDomainRoute(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := ends(e)
	gone := e.Do(object(key).Delete)
	lookup := acctest.DataBlock("kuscia_domain_route", "test", map[string]any{"source": key.Source, "destination": key.Destination})
	resource.Test(t, e.TestCase(object(key),
		resource.TestStep{
			Config: route(key, ""),
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(key.ID())),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("name"), knownvalue.StringExact(key.Source+"-"+key.Destination)),
			),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("token_config").AtMapKey("token_gen_method"), knownvalue.StringExact("RSA-GEN")),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("mtls_config"), knownvalue.Null()),
			},
		},
		resource.TestStep{
			Config: route(key, "") + lookup,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data.kuscia_domain_route.test", tfjsonpath.New("id"), knownvalue.StringExact(key.ID())),
				statecheck.ExpectKnownValue("data.kuscia_domain_route.test", tfjsonpath.New("status"), knownvalue.StringRegexp(regexp.MustCompile("^(Succeeded|Failed)$"))),
				statecheck.ExpectKnownValue("data.kuscia_domain_route.test", tfjsonpath.New("reason"), knownvalue.NotNull()),
			},
		},
		resource.TestStep{
			Config:           route(key, `authentication_type = "None"`),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate)),
		},
		resource.TestStep{
			PreConfig:        gone,
			Config:           route(key, `authentication_type = "None"`),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate)),
		},
		resource.TestStep{
			PreConfig:   gone,
			Config:      lookup,
			ExpectError: regexp.MustCompile(`(?s)Kuscia has no domain\s+route`),
		},
	))
}

// TestAccDomainRoute_unknown: values of another resource are known at apply,
// and the next plan is empty.
func TestAccDomainRoute_unknown(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := ends(e)
	given := func(name string) any { return acctest.Reference("terraform_data.given.output." + name) }
	resource.Test(t, e.TestCase(object(key), resource.TestStep{
		Config: acctest.Block("terraform_data", "given", map[string]any{
			"input": map[string]any{"source": key.Source, "host": "gateway.example", "port": 1080, "period": 60},
		}) + acctest.Block("kuscia_domain_route", "test", map[string]any{
			"source": given("source"), "destination": key.Destination, "authentication_type": "Token",
			"endpoint": endpoint(given("host"), given("port")), "token_config": map[string]any{"rolling_update_period": given("period")},
		}),
		ConfigPlanChecks: acctest.Planned(plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")), plancheck.ExpectUnknownValue(address, tfjsonpath.New("name"))),
	}))
}

// TestAccDomainRoute_badInput: the error names the attribute, and no request is
// sent.
func TestAccDomainRoute_badInput(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	key := kuscia.DomainRouteKey{Source: "alice", Destination: "bob"}
	for name, test := range map[string]struct {
		hcl  string
		want []string
	}{
		"validate": {route(key, `authentication_type = "Token"`+"\n  mtls_config = { tls_ca = \"eA==\", source_client_cert = \"eA==\" }"), []string{"Certificates are not used", `is used only with authentication_type = "MTLS"`}},
		"plan":     {route(key, `authentication_type = "MTLS"`), []string{"Missing certificates", "needs mtls_config", "crash"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := count(e)
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(), Steps: []resource.TestStep{{Config: test.hcl}},
			}, acctest.Failure{Messages: test.want})
			if sent := count(e) - before; sent > 0 {
				t.Errorf("%d requests", sent)
			}
		})
	}
}

// count returns the number of all requests to the sandbox.
func count(e *acctest.Env) (all int) {
	if e.Sandbox == nil {
		return 0
	}
	for _, n := range e.Sandbox.Counts() {
		all += n
	}
	return all
}
