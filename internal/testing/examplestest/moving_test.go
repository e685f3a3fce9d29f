package examplestest_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testMoving takes over what another provider has made, without a change.
func testMoving(t *testing.T, e example) {
	env := acctest.New(t)
	env.RequireSandbox(t, "the example has fixed names")
	env.AppImage(func(image *kuscia.AppImage) { image.Name = "glm" })
	requests := env.CountRequests()
	step := func(name string) resource.TestStep {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "main.tf"), strings.Replace(read(t, filepath.Join(e.dir, name)), "Mastercard/restapi", namespace+"/restapi", 1))
		return resource.TestStep{ConfigDirectory: config.StaticDirectory(dir)}
	}
	after := step("main.tf")
	after.PreConfig = requests.Start
	after.ConfigPlanChecks = resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_serving.glm", plancheck.ResourceActionNoop)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
	after.Check = requests.ExpectNoWrites()
	factories := maps.Clone(env.ProtoV6ProviderFactories())
	factories["restapi"] = env.RESTProvider()
	steps := []resource.TestStep{step("before/main.tf"), after}
	for i := range steps {
		steps[i].ProtoV6ProviderFactories = factories // the configurations hold provider blocks
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		CheckDestroy:           env.CheckServingDestroyed("glm"),
		Steps:                  steps,
	})
}
