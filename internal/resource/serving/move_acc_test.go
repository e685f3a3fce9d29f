package serving_test

import (
	"maps"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_movedFromREST: a serving that was created by a generic REST
// provider is taken over by a moved block, without a change and without an
// import.
func TestAccServing_movedFromREST(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	s := alone(e, "test", e.AppImage()).with(func(s *servingHCL) {
		s.config, s.affinity, s.timeouts = `jsonencode({ model = 1 })`, `"none"`, `{ create = "5m" }`
		s.parties[0].replicas = "2"
		s.parties = append(s.parties, partyHCL{key: "bob/client", domain: `"bob"`, role: `"client"`, image: s.parties[0].image, resources: full})
	})
	data := acctest.Expression(attrs{
		"serving_id": expr(s.id), "initiator": "alice", "affinity_mode": "none", "serving_input_config": expr(s.config),
		"parties": []any{
			attrs{"domain_id": "alice", "app_image": expr(s.parties[0].image), "replicas": 2},
			attrs{"domain_id": "bob", "role": "client", "app_image": expr(s.parties[0].image), "replicas": 1, "resources": []any{attrs{"min_cpu": "0.5", "max_cpu": "2", "min_memory": "1Gi", "max_memory": "2Gi"}}},
		},
	})
	rest := acctest.Block("restapi_object", "serving", attrs{"path": "/api/v1/serving", "data": acctest.Reference("jsonencode(" + data + ")")})
	factories := maps.Clone(e.ProtoV6ProviderFactories())
	factories["restapi"] = e.RESTProvider()
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: factories,
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			{Config: rest},
			{
				Config:      acctest.AppImageBlock{Name: "x"}.String() + acctest.Moved("restapi_object.serving", "kuscia_app_image.test"),
				ExpectError: regexp.MustCompile(wrapped("cannot become kuscia_app_image: it is a different object: serving")),
			},
			{
				PreConfig: requests.Start,
				Config:    s.String() + acctest.Moved("restapi_object.serving", s.address()),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(s.address(), plancheck.ResourceActionNoop)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				Check: requests.ExpectNoWrites(),
			},
			{ // from here on it is a normal serving
				Config: s.with(func(s *servingHCL) { s.parties[0].replicas = "1" }).String(),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(s.address(), plancheck.ResourceActionUpdate)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
		},
	})
}
