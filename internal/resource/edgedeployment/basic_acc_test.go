package edgedeployment_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

func TestAccEdgeDeployment_basic(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	var since int
	f.run("lite",
		resource.TestStep{
			Config: conf{}.hcl(),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("api_version"), knownvalue.StringExact("v3")),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("rollout_complete"), knownvalue.Bool(true)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("project_id"), knownvalue.StringExact(f.Options().ProjectID)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("instance_id"), knownvalue.Null()),
			},
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		resource.TestStep{
			PreConfig: f.mark(&since),
			Config:    conf{top: `description = "now with text"`}.hcl(),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
		resource.TestStep{
			Config: conf{image: "kuscia:2", top: `description = "now with text"`}.hcl(),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{"rollout_complete", "force_destroy", "timeouts"},
		},
	)
}
