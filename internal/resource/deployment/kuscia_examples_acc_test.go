package deployment_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDeployment_documents applies both examples of the Kuscia documentation,
// the second of which names a container that the app image does not have, and
// changes the first into the second.
func TestAccDeployment_documents(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	c := newCluster(t)
	const lines = `
  labels       = { "kuscia.secretflow/app-type" = "serving" }
  input_config = "{\"partyConfigs\":{\"alice\":{\"modelConfig\":{\"modelId\":\"glm-test-1\",\"basePath\":\"/tmp/alice\"},\"featureSourceConfig\":{\"mockOpts\":{}},\"channel_desc\":{\"protocol\":\"http\"}}}}"`
	const full = `
      replicas        = 1
      update_strategy = { type = "RollingUpdate", max_surge = "30%", max_unavailable = "30%" }
      containers = {
        serving = {
          limits   = { cpu = "100m", memory = "100Mi" }
          requests = { cpu = "100m", memory = "100Mi" }
        }
      }`
	parties := func(alice string) map[string]any {
		return map[string]any{"alice": partyOf(c.name, alice), "bob": partyOf(c.name, "")}
	}
	c.run(
		resource.TestStep{Config: c.block(lines, parties("")), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			Config: c.block(lines, parties(full)), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate),
			Check: func(*terraform.State) error {
				strategy := at(c.Get(acctest.KubeDeployments, "alice", c.name), "spec", "strategy", "rollingUpdate", "maxSurge")
				if strategy != "30%" {
					return fmt.Errorf("max_surge is %v", strategy)
				}
				return nil
			},
		},
	)
}
