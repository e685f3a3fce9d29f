package serving_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_identity: the identity is the serving_id, and an import block
// with it plans no change.
func TestAccServing_identity(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAccLife"))
	e := newEnv(t)
	s := alone(e, "test", e.AppImage())
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   acctest.IdentityVersions,
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckServingDestroyed(s.servingID()),
		Steps: []resource.TestStep{
			{
				Config: s.String(),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectIdentity(testServing, map[string]knownvalue.Check{"serving_id": knownvalue.StringExact(s.servingID())}),
				},
			},
			{
				ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity, ResourceName: testServing,
				ImportPlanChecks: resource.ImportPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

// TestAccServing_importByIdentity imports a serving that was created outside of
// Terraform.
func TestAccServing_importByIdentity(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAccLife"))
	e := newEnv(t)
	image := e.AppImage()
	s := alone(e, "test", image)
	one := int32(1)
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: s.servingID(), Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image, Replicas: &one}},
	})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   acctest.IdentityVersions,
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckServingDestroyed(s.servingID()),
		Steps: []resource.TestStep{
			{
				Config:      s.String() + acctest.ImportIdentity(testServing, map[string]any{"serving_id": "Not.A.Label"}),
				ExpectError: regexp.MustCompile(wrapped("must be an RFC 1123 label")),
			},
			{
				Config: s.String() + acctest.ImportIdentity(testServing, map[string]any{"serving_id": s.servingID()}),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionNoop)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectIdentityValueMatchesState(testServing, tfjsonpath.New("serving_id")),
				},
			},
		},
	})
}
