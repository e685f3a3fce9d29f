package examplestest_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testSecrets applies the example with its keys and then with others: a new
// version sends them, and no attribute in the state has any.
func testSecrets(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS})
	dir := config.StaticDirectory(e.folder(t, e.configuration, strings.NewReplacer(
		// The test framework runs the provider without a version.
		"version = \"~> 0.1.0\"", "",
	).Replace))
	const serving = "kuscia_serving.glm"
	step := func(key string, version int, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			ConfigDirectory: dir,
			ConfigVariables: config.Variables{
				"kuscia_token":           config.StringVariable(env.Sandbox.Token()),
				"storage_access_key":     config.StringVariable("access-" + key),
				"storage_secret_key":     config.StringVariable("secret-" + key),
				"serving_config_version": config.IntegerVariable(version),
			},
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(serving, action)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(serving, tfjsonpath.New("serving_input_config"), knownvalue.Null()),
				statecheck.ExpectKnownValue(serving, tfjsonpath.New("serving_input_config_wo"), knownvalue.Null()),
				statecheck.ExpectKnownValue(serving, tfjsonpath.New("serving_input_config_wo_version"), knownvalue.Int64Exact(int64(version))),
			},
			Check: func(*terraform.State) error {
				stored, err := env.Sandbox.Serving("glm")
				if err == nil && !strings.Contains(stored.InputConfig, `"secretKey":"secret-`+key+`"`) {
					err = fmt.Errorf("Kuscia has %s", stored.InputConfig)
				}
				return err
			},
		}
	}
	run(t, acctest.Factories(map[string]string{
		"KUSCIA_ENDPOINT": env.Sandbox.Endpoint(), "KUSCIA_CA_CERTIFICATE_FILE": filepath.Join(env.Sandbox.CertsDir(), "ca.crt"),
	}), resource.TestCase{
		CheckDestroy: env.CheckServingDestroyed("glm"),
		Steps: []resource.TestStep{
			step("first", 1, plancheck.ResourceActionCreate),
			step("second", 2, plancheck.ResourceActionUpdate),
		},
	})
}
