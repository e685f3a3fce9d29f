package examples_test

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testRedeployAction changes the app image, which restarts the serving.
func testRedeployAction(t *testing.T, e example) {
	env := fixedNames(t)
	requests := env.CountRequests()
	changed := e.folder(t, e.configuration, strings.NewReplacer(`"0.8.0b0"`, `"0.9.0b0"`).Replace)
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		// Skips with this reason: Terraform has actions from 1.14 on, OpenTofu
		// has none.
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		CheckDestroy:           env.CheckServingDestroyed("glm"),
		Steps: []resource.TestStep{
			e.apply(t),
			{
				PreConfig:       requests.Start,
				ConfigDirectory: config.StaticDirectory(changed),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionNoop)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				Check: requests.Expect(acctest.PathServingUpdate, 1),
			},
		},
	})
}

func testQuantityFunction(t *testing.T, e example) {
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("memory", knownvalue.StringExact("2Gi"))}
	testReading(t, fixedNames(t), step)
}

func testServingEndpointFunction(t *testing.T, e example) {
	env := fixedNames(t)
	makeServing(t, env, "glm")
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("alice_http", knownvalue.StringRegexp(regexp.MustCompile(`^glm-service\.alice\.svc`)))}
	testReading(t, env, step)
}

// testMoving takes over what another provider has made, without a change.
func testMoving(t *testing.T, e example) {
	env := fixedNames(t)
	makeAppImage(t, env, "glm")
	requests := env.CountRequests()
	step := func(name string) resource.TestStep {
		file := path.Join(e.dir, name)
		if !slices.Contains(e.configuration, file) {
			t.Fatalf("no %s", file)
		}
		dir := e.folder(t, []string{file}, strings.NewReplacer("Mastercard/restapi", namespace+"/restapi").Replace)
		return resource.TestStep{ConfigDirectory: config.StaticDirectory(dir)}
	}
	after := step("after.tf")
	after.PreConfig = requests.Start
	after.ConfigPlanChecks = resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionNoop)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
	after.Check = requests.ExpectNoWrites()
	factories := maps.Clone(env.ProtoV6ProviderFactories())
	factories["restapi"] = env.RESTProvider()
	run(t, factories, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		CheckDestroy:           env.CheckServingDestroyed("glm"),
		Steps:                  []resource.TestStep{step("before.tf"), after},
	})
}
