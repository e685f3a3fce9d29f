package provider_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const dataStatus = "data.kuscia_serving_status.test"

// status makes the plan send one request to Kuscia.
var status = acctest.DataBlock("kuscia_serving_status", "test", object{"serving_ids": []string{"no-such-serving"}})

// oneCall is status with a provider block.
func oneCall(settings object) string { return acctest.ProviderBlock(settings) + status }

// answered checks that Kuscia has responded.
func answered() []statecheck.StateCheck {
	return []statecheck.StateCheck{
		statecheck.ExpectKnownValue(dataStatus, tfjsonpath.New("missing_serving_ids"),
			knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("no-such-serving")})),
	}
}

func fails(t *testing.T, environment map[string]string, configuration string, want acctest.Failure) {
	t.Helper()
	w := acctest.NewWorkspace(t, acctest.Factories(environment))
	w.Write("main.tf", configuration)
	w.Fails(want)
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestAccProvider_noBlock: the environment alone is sufficient. It runs against
// a real Kuscia too.
func TestAccProvider_noBlock(t *testing.T) {
	t.Parallel()
	env := acctest.New(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			ConfigFile:        acctest.File("status.tf"),
			ConfigVariables:   config.Variables{"serving_ids": config.ListVariable(config.StringVariable("no-such-serving"))},
			ConfigStateChecks: answered(),
		}},
	})
}

// TestAccProvider_wrongToken: the error does not contain the token.
func TestAccProvider_wrongToken(t *testing.T) {
	t.Parallel()
	const wrong = "WrongTokenWrongTokenWrongToken00"
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir(), "token": wrong}), acctest.Failure{
		Messages: []string{`HTTP 401`, `(?i)token`, `certs_dir|token_file`},
		Never:    []string{wrong, s.Token()},
	})
}

// unknownEndpoint is a provider whose endpoint is an attribute of a resource; a
// change of trigger replaces the resource, so that the endpoint is unknown in
// that plan.
func unknownEndpoint(endpoint, trigger string) string {
	return acctest.Block("terraform_data", "kuscia", object{"input": endpoint, "triggers_replace": trigger}) +
		acctest.ProviderBlock(object{"endpoint": acctest.Reference("terraform_data.kuscia.output")})
}

// TestAccProvider_unknownEndpointDataSource: a data source with known arguments
// is read in the plan, which fails.
func TestAccProvider_unknownEndpointDataSource(t *testing.T) {
	t.Parallel()
	env := acctest.NewSandbox(t, sandbox.Options{})
	fails(t, nil, unknownEndpoint(env.Sandbox.Endpoint(), "1")+status, acctest.Failure{
		Messages: []string{`Error: Provider block not known yet`, `endpoint in the provider "kuscia" block`},
		Never:    []string{"panic"},
	})
}
