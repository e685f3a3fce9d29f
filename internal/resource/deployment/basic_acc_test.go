package deployment_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDeployment_basic: create, another spelling, an update, an import.
func TestAccDeployment_basic(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	requests := c.CountRequests()
	full := conf{
		top: `input_config = jsonencode({ b = 1, a = "x" })
  labels = { "kuscia.secretflow/app-type" = "serving" }`,
		alice: `replicas = 2
      update_strategy = { max_surge = "1", max_unavailable = 0 }
      containers = { main = { requests = { cpu = "0.1", memory = "1024Mi" }, limits = { cpu = "1000m", memory = "2Gi" } } }`,
		bob: " ",
	}
	spelled := full
	spelled.top = `input_config = "{\"a\": \"x\",   \"b\": 1}"
  labels = { "kuscia.secretflow/app-type" = "serving" }`
	spelled.alice = `replicas = 2
      update_strategy = { type = "RollingUpdate", max_surge = 1, max_unavailable = "0" }
      containers = { main = { requests = { memory = "1Gi", cpu = "100m" }, limits = { cpu = 1, memory = "2048Mi" } } }`
	next := full
	next.image = c.name + "-v2"
	c.run(
		resource.TestStep{
			Config: c.hcl(full),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(c.name)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("rollout_complete"), knownvalue.Bool(true)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("affinity_mode"), knownvalue.StringExact("anti-affinity")),
			},
			ConfigPlanChecks: emptyAfter,
			Check:            func(*terraform.State) error { return c.runs("v1", 2) },
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    c.hcl(spelled), ConfigPlanChecks: plans(plancheck.ResourceActionNoop),
			Check: requests.ExpectNoWrites(),
		},
		resource.TestStep{
			Config: c.hcl(next), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate),
			Check: func(*terraform.State) error { return c.runs("v2", 2) },
		},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{"rollout_complete", "parties", "input_config", "force_conflicts", "timeouts"},
		},
	)
}

// runs checks the Deployment of alice, and that no other client has changed the
// applied object.
func (c *cluster) runs(tag string, replicas int64) error {
	d := c.Get(acctest.KubeDeployments, "alice", c.name)
	if got := image(d); got != "example/app:"+tag {
		return fmt.Errorf("the Deployment has the image %q", got)
	}
	if n := at(d, "status", "availableReplicas"); n != replicas {
		return fmt.Errorf("%v replicas are available", n)
	}
	want := map[string]int64{"v1": 1, "v2": 2}[tag]
	if kd := c.deployment(); kd.GetGeneration() != want {
		return fmt.Errorf("the KusciaDeployment has generation %d, want %d: %v", kd.GetGeneration(), want, at(kd, "spec"))
	}
	return nil
}

// TestAccDeployment_minimal: nothing but what is required.
func TestAccDeployment_minimal(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	t.Parallel()
	c := newCluster(t)
	c.run(
		resource.TestStep{
			Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter,
			Check: func(*terraform.State) error { return c.runs("v1", 1) },
		},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
			ImportPlanChecks: resource.ImportPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)}},
		},
	)
}
