package edgedeployment_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccEdgeDeployment_otherProject: after a change of the project in the
// provider block a deployment is not found, and is not removed from the state.
func TestAccEdgeDeployment_otherProject(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	f := newFabric(t, sandbox.Options{OtherProjectIDs: []string{"other"}})
	own := f.factories()
	f.extra["KUSCIA_IEF_PROJECT_ID"] = "other"
	other := f.factories()
	fails := regexp.MustCompile(`(?s)in\s+project\s+"` + f.Options().ProjectID + `".*"other"`)
	resource.Test(t, resource.TestCase{CheckDestroy: f.gone("lite"), Steps: []resource.TestStep{
		{Config: conf{}.hcl(), ProtoV6ProviderFactories: own},
		{Config: conf{}.hcl(), ProtoV6ProviderFactories: other, ExpectError: fails},
		{Config: conf{}.hcl(), ProtoV6ProviderFactories: other, Destroy: true, ExpectError: fails},
		{Config: conf{}.hcl(), ProtoV6ProviderFactories: own, PlanOnly: true},
	}})
}

// TestAccEdgeDeployment_lostUpdate: if all responses to an update that took
// effect were lost, the next apply waits for it.
func TestAccEdgeDeployment_lostUpdate(t *testing.T) {
	acctest.SkipShort(t, "TestEdgeMatrix loses responses without a CLI")
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			timing := sandbox.QuickTiming()
			timing.ClearFaults = time.Hour
			f := newFabric(t, sandbox.Options{Timing: timing})
			top := lines(`api_version = "`+version+`"`, `timeouts = { update = "4s" }`)
			changed := conf{image: "kuscia:slow", top: top}.hcl()
			f.run("lite",
				resource.TestStep{Config: conf{top: top}.hcl()},
				resource.TestStep{
					PreConfig: func() { f.Inject(sandbox.Fault{Method: "PUT", AfterEffect: true, Times: -1}) },
					Config:    changed, ExpectError: regexp.MustCompile(`Unable to update`),
				},
				resource.TestStep{PreConfig: f.ClearFaults, Config: changed, PlanOnly: true, ExpectNonEmptyPlan: true},
				resource.TestStep{Config: changed, ExpectError: regexp.MustCompile(`(?s)does not\s+run`)},
			)
		})
	}
}

// TestAccEdgeDeployment_brokenCreate: the error says that a new deployment that
// does not run is replaced, and the next plan shows that.
func TestAccEdgeDeployment_brokenCreate(t *testing.T) {
	acctest.SkipShort(t, "TestAccEdgeDeployment_broken has a broken update")
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	broken := conf{image: "kuscia:broken", top: `timeouts = { create = "1s" }`}.hcl()
	f.run("lite",
		resource.TestStep{Config: broken, ExpectError: regexp.MustCompile(`(?s)does not\s+run.*tainted.*untaint`)},
		resource.TestStep{Config: conf{}.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionDestroyBeforeCreate)},
	)
}

// TestAccEdgeDeployment_noWait: without a wait, responses from before the
// update are no difference.
func TestAccEdgeDeployment_noWait(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			timing := sandbox.QuickTiming()
			timing.Lag = time.Second
			f := newFabric(t, sandbox.Options{Timing: timing})
			top := lines(`api_version = "`+version+`"`, `wait_for_rollout = false`)
			f.run("lite",
				resource.TestStep{Config: conf{top: top}.hcl()},
				resource.TestStep{Config: conf{top: top, image: "kuscia:2"}.hcl(), ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
				}},
				resource.TestStep{Config: conf{top: top, image: "kuscia:2"}.hcl(), PlanOnly: true},
			)
		})
	}
}

// TestAccEdgeDeployment_deleteTwice: a delete whose wait timed out is continued
// by the next apply, even if the server rejects a second delete request.
func TestAccEdgeDeployment_deleteTwice(t *testing.T) {
	acctest.SkipShort(t, "it waits for a timeout")
	t.Parallel()
	timing := sandbox.QuickTiming()
	timing.Remove = 5 * time.Second
	f := newFabric(t, sandbox.Options{Timing: timing})
	top := `timeouts = { delete = "3s" }` // a destroy has the one of the last apply
	f.run("lite",
		resource.TestStep{Config: conf{top: top}.hcl()},
		resource.TestStep{Config: conf{top: top}.hcl(), Destroy: true, ExpectError: regexp.MustCompile(`still exists`)},
		resource.TestStep{
			PreConfig: func() {
				f.Inject(sandbox.Fault{Method: "DELETE", Status: 400, Body: `{"error_code":"IEF.100012","error_msg":"being deleted"}`})
			},
			Config: conf{top: top}.hcl(), Destroy: true,
			Check: func(*terraform.State) error {
				if f.Exists("lite") {
					return fmt.Errorf("it still exists")
				}
				return nil
			},
		},
	)
}

// TestAccEdgeDeployment_group: a deployment on a group of nodes, in both
// versions.
func TestAccEdgeDeployment_group(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	for _, version := range []string{"v3", "v2"} {
		f := newFabric(t, sandbox.Options{})
		group := conf{place: `group_id = "group-1"`, top: `api_version = "` + version + `"`}
		changed := group
		changed.image = "kuscia:2"
		f.run("lite",
			resource.TestStep{Config: group.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
			resource.TestStep{Config: changed.hcl(), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate)},
		)
	}
}
