package serving_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_partyKeys: a party keeps its key whatever other clients do, a new
// key alone changes only the state, and ignore_changes works for one party.
func TestAccServing_partyKeys(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlanRename", "TestRefreshNames"))
	e := newEnv(t)
	image := e.AppImage()
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.parties[0].key = "host"
		s.parties = append(s.parties, partyHCL{domain: `"bob"`, image: quote(image)})
	})
	renamed := s.with(func(s *servingHCL) { s.parties[0].key = "first" })
	scaled := renamed.with(func(s *servingHCL) { s.parties[1].replicas = "2" })
	ignoring := renamed.with(func(s *servingHCL) { s.lifecycle = `ignore_changes = [parties["bob"].replicas]` })
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			{Config: s.String(), Check: server(e, s.servingID(), func(s *kuscia.Serving) error {
				return expect("domains", s.Parties[0].DomainID+s.Parties[1].DomainID, "bobalice")
			})},
			{
				PreConfig: requests.Start,
				Config:    renamed.String(),
				ConfigPlanChecks: preApply(plancheck.ExpectResourceAction(s.address(), plancheck.ResourceActionUpdate),
					expectChanges(s.address(), "parties.host", "parties.first")),
				Check: resource.ComposeTestCheckFunc(requests.ExpectNoWrites(), requests.ExpectNone(acctest.PathServingStatus)),
			},
			{Config: scaled.String()},
			{PreConfig: requests.Start, Config: ignoring.String(), ConfigPlanChecks: emptyPlan(), Check: requests.ExpectNoWrites()},
			{
				Config:           renamed.String(),
				ConfigPlanChecks: preApply(expectChanges(s.address(), "parties.bob.replicas")),
			},
		},
	})
}
