package deployment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDeployment_basic: create, another spelling, an update, and nothing left after the destroy.
func TestAccDeployment_basic(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	config := func(image string, top, alice acctest.Lines) string {
		return acctest.Block("kuscia_deployment", "test", map[string]any{"name": c.name, "initiator": "alice", "lines": top, "parties": map[string]any{
			"alice": map[string]any{"app_image": image, "lines": alice}, "bob": map[string]any{"app_image": c.name},
		}})
	}
	const (
		top = `input_config = jsonencode({ b = 1, a = "x" })
  labels = { "kuscia.secretflow/app-type" = "serving" }`
		alice = `replicas = 2
      update_strategy = { max_surge = "1", max_unavailable = 0 }
      containers = { main = { requests = { cpu = "0.1", memory = "1024Mi" }, limits = { cpu = "1000m", memory = "2Gi" } } }`
	)
	spelled := config(c.name, `input_config = "{\"a\": \"x\",   \"b\": 1}"
  labels = { "kuscia.secretflow/app-type" = "serving" }`, `replicas = 2
      update_strategy = { type = "RollingUpdate", max_surge = 1, max_unavailable = "0" }
      containers = { main = { requests = { memory = "1Gi", cpu = "100m" }, limits = { cpu = 1, memory = "2048Mi" } } }`)
	w := acctest.NewWorkspace(t, acctest.Factories(c.Variables()))
	t.Cleanup(func() { c.check(c.nothingLeft()) })
	w.Write("main.tf", config(c.name, top, alice))
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
	w.Write("main.tf", spelled)
	w.Plan(acctest.PlanEmpty)
	w.Apply()
	c.check(requests.ExpectNoWrites()(nil))

	w.Write("main.tf", config(c.name+"-v2", top, alice))
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
