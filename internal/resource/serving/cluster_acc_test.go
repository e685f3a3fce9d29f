package serving_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_onCluster: with a cluster an apply ends once the Deployments
// run as specified, and the plan after it is empty.
func TestAccServing_onCluster(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	config := func(tag string) string {
		s := alone(c.env, "test", c.images[tag])
		s.id, s.config, s.parties[0].replicas = quote(c.name), `"{}"`, "4"
		return s.String()
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: c.env.OnCluster(c.kube),
		Steps: []resource.TestStep{
			{Config: config("v1")},
			{
				Config:            config("v2"),
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("kuscia_serving.test", tfjsonpath.New("rollout_complete"), knownvalue.Bool(true))},
				ConfigPlanChecks:  resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				Check: func(*terraform.State) error {
					c.runs("v2")
					return nil
				},
			},
		},
	})
}
