package rollout_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// configuration returns a Rollout with its data source and, if step is set, the
// approval of a step.
func (r *releases) configuration(more string, approved int) string {
	out := fmt.Sprintf(`
resource "kuscia_rollout" "test" {
  namespace    = %q
  name         = %q
  workload_ref = { name = %[2]q }
  canary = {
    steps = [{ replicas = "25%%" }, { replicas = "50%%" }, { replicas = "100%%" }]
  }
  %s
}

data "kuscia_rollout" "test" {
  namespace  = kuscia_rollout.test.namespace
  name       = kuscia_rollout.test.name
  depends_on = [kuscia_rollout_approval.test]
}
`, domain, r.name, more)
	count := 0
	if approved > 0 {
		count = 1
	}
	return out + fmt.Sprintf(`
resource "kuscia_rollout_approval" "test" {
  count     = %d
  namespace = kuscia_rollout.test.namespace
  name      = kuscia_rollout.test.name
  step      = %d
}
`, count, max(approved, 1))
}

func shows(attribute string, value knownvalue.Check) []statecheck.StateCheck {
	return []statecheck.StateCheck{statecheck.ExpectKnownValue("data.kuscia_rollout.test", tfjsonpath.New(attribute), value)}
}

var emptyPlan = resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

// TestAccRollout: the CLI performs a release from the creation of the Rollout
// to its end, with several rejected operations.
func TestAccRollout(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		CheckDestroy: func(*terraform.State) error {
			if r.k.Get(acctest.KubeRollouts, domain, r.name) != nil {
				return fmt.Errorf("rollout %s still exists", r.name)
			}
			return nil
		},
		Steps: []resource.TestStep{
			{Config: r.configuration("", 0), ConfigPlanChecks: emptyPlan, ConfigStateChecks: shows("state", knownvalue.StringExact("healthy"))},
			{
				Config: r.configuration("", 0), ResourceName: "kuscia_rollout.test", ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"wait_for_healthy"},
			},
			{
				PreConfig: func() { r.paused(t) },
				Config:    r.configuration("", 0), ConfigPlanChecks: emptyPlan, ConfigStateChecks: shows("awaits_approval", knownvalue.Bool(true)),
			},
			{Config: r.configuration("disabled = true", 0), ExpectError: regexp.MustCompile(`(?s)A release is in progress.*all\s+pods\s+get\s+the\s+new\s+version\s+at\s+once`)},
			{Config: r.configuration("", 2), ExpectError: regexp.MustCompile(`(?s)not paused at step\s+2.*Nothing was\s+written`)},
			{Config: r.configuration("", 1), ConfigPlanChecks: emptyPlan, ConfigStateChecks: shows("current_step_index", knownvalue.Int64Exact(2))},
			{Config: r.configuration("", 2), ConfigPlanChecks: emptyPlan, ConfigStateChecks: shows("last_release", knownvalue.StringExact("completed"))},
			{
				PreConfig: func() { r.pods("v2") },
				Config:    r.configuration("", 0), ConfigPlanChecks: emptyPlan,
			},
		},
	})
}

// TestAccRolloutDestroyed: the plan of a destroy during a release fails.
func TestAccRolloutDestroyed(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		Steps: []resource.TestStep{
			{Config: r.configuration("", 0)},
			{PreConfig: func() { r.paused(t) }, Config: r.configuration("", 0), Destroy: true, ExpectError: regexp.MustCompile(`is\s+not\s+deleted,\s+since\s+it\s+is\s+paused\s+at\s+step\s+1\s+of\s+3`)},
			{Config: r.configuration("promote_on_destroy = true", 0), ConfigPlanChecks: emptyPlan},
		},
	})
	r.pods("v2")
}

// TestAccRolloutAtAnotherAddress: a Rollout with another name at another address takes
// the place of the one of the same workload, in one apply.
func TestAccRolloutAtAnotherAddress(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	at := func(address, name string) string {
		return fmt.Sprintf(`
resource "kuscia_rollout" %q {
  namespace    = %q
  name         = %q
  workload_ref = { name = %q }
  canary       = { steps = [{ replicas = "25%%" }, { replicas = "100%%" }] }
}
`, address, domain, name, r.name)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		Steps: []resource.TestStep{
			{Config: at("first", r.name)},
			{Config: at("second", r.name+"-new"), ConfigPlanChecks: emptyPlan},
			{Config: at("second", r.name+"-new") + at("third", r.name), ExpectError: regexp.MustCompile(`(?s)The workload has a Rollout.*add\s+a\s+moved\s+block`)},
			{Config: at("third", r.name) + "moved {\n  from = kuscia_rollout.second\n  to   = kuscia_rollout.third\n}\n", ConfigPlanChecks: emptyPlan},
		},
	})
}

// TestAccRolledBack: a rolled back release is reported as such.
func TestAccRolledBack(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		Steps: []resource.TestStep{
			{Config: r.configuration("", 0)},
			{
				PreConfig: func() {
					r.paused(t)
					r.image("v1")
					r.until(t, kruise.Healthy, 0)
				},
				Config: r.configuration("", 0), ConfigPlanChecks: emptyPlan, ConfigStateChecks: shows("last_release", knownvalue.StringExact("cancelled")),
			},
			{Config: r.configuration("", 1), ExpectError: regexp.MustCompile(`the\s+last\s+release\s+was\s+rolled\s+back`)},
		},
	})
}

// TestAccUnknownValues: unknown values can be planned, and are set after apply.
func TestAccUnknownValues(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	config := fmt.Sprintf(`
resource "terraform_data" "known_later" {
  input = { name = %q, replicas = "25%%", paused = true }
}

resource "kuscia_rollout" "test" {
  namespace    = %q
  name         = terraform_data.known_later.output.name
  workload_ref = { name = terraform_data.known_later.output.name }
  paused       = terraform_data.known_later.output.paused
  canary       = { steps = [{ replicas = terraform_data.known_later.output.replicas }, { replicas = "100%%" }] }
}

resource "kuscia_traffic_routing" "test" {
  namespace  = kuscia_rollout.test.namespace
  name       = kuscia_rollout.test.name
  object_ref = [{ service = terraform_data.known_later.output.name, ingress = { name = "i" } }]
  strategy   = { weight = 5 }
}
`, r.name, domain)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		Steps: []resource.TestStep{
			{Config: config, ConfigPlanChecks: emptyPlan, ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("kuscia_rollout.test", tfjsonpath.New("id"), knownvalue.StringExact(domain+"/"+r.name)),
			}},
			{Config: config, ResourceName: "kuscia_traffic_routing.test", ImportState: true, ImportStateVerify: true},
		},
	})
}

// TestAccApprovalImported: the plan of an import with timeouts and triggers is empty.
func TestAccApprovalImported(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	k := acctest.NewKube(t)
	config := fmt.Sprintf(`
resource "kuscia_rollout_approval" "test" {
  namespace = %q
  name      = "r"
  step      = 2
  triggers  = { image = "v2" }
  timeouts  = { create = "5m" }
}

import {
  to = kuscia_rollout_approval.test
  id = "%[1]s/r/2"
}
`, domain)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(k.Variables()),
		Steps: []resource.TestStep{{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_rollout_approval.test", plancheck.ResourceActionNoop)},
			PostApplyPostRefresh: emptyPlan.PostApplyPostRefresh,
		}}},
	})
}
