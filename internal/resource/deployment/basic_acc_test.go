package deployment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDeployment_basic: create, another spelling, an update, and nothing left after the destroy.
func TestAccDeployment_basic(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
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
	w := acctest.NewWorkspace(t, acctest.Factories(c.Variables()))
	t.Cleanup(func() { c.check(c.nothingLeft(nil)) })
	w.Write("main.tf", c.hcl(full))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	c.check(c.runs("v1", 2))
	state := strings.Join(strings.Fields(w.Read("terraform.tfstate")), " ")
	for _, attribute := range []string{fmt.Sprintf(`"id": %q`, c.name), `"rollout_complete": true`, `"affinity_mode": "anti-affinity"`} {
		if !strings.Contains(state, attribute) {
			t.Errorf("no %s in the state %s", attribute, state)
		}
	}

	requests := c.CountRequests()
	w.Write("main.tf", c.hcl(spelled))
	w.Plan(acctest.PlanEmpty)
	w.Apply()
	c.check(requests.ExpectNoWrites()(nil))

	w.Write("main.tf", c.hcl(next))
	w.Apply()
	c.check(c.runs("v2", 2))
	w.Plan(acctest.PlanEmpty)
}

// check is the end of the test at an error.
func (c *cluster) check(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
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
