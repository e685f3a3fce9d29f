package examples_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func testDomainRoute(t *testing.T, e example) {
	env := fixedNames(t)
	others := map[string]string{"kuscia_domain_route.bob_to_alice": "bob/alice"}
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		Steps: append([]resource.TestStep{e.apply(t)}, e.importSteps(t, "kuscia_domain_route.alice_to_bob", others)...),
	})
	e.testImportByIdentity(t, "kuscia_domain_route.alice_to_bob", others)
}

func testConfig(t *testing.T, e example) {
	e.variables = config.Variables{"access_key_secret": config.StringVariable("secret")}
	env := fixedNames(t)
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		Steps: append([]resource.TestStep{e.apply(t)}, e.importSteps(t, "kuscia_config.oss", nil)...),
	})
	e.testImportByIdentity(t, "kuscia_config.oss", nil)
}

func testCertificate(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := fixedNames(t)
	step := e.apply(t)
	step.Check = func(*terraform.State) error {
		stored, _ := env.Sandbox.ConfigValue("gateway-certificate")
		var made struct {
			Key   string
			Chain []string
		}
		if err := json.Unmarshal([]byte(stored), &made); err != nil || made.Key == "" || len(made.Chain) != 2 {
			return fmt.Errorf("the node has %q (%w)", stored, err)
		}
		return nil
	}
	testReading(t, env, step)
}
