package rollout_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// configuration returns a Rollout with its data source and, if step is set, the
// approval of a step.
func (r *releases) configuration(more string, approved int) string {
	of := map[string]any{"namespace": acctest.Reference("kuscia_rollout.test.namespace"), "name": acctest.Reference("kuscia_rollout.test.name")}
	return r.block("test", r.name, acctest.Lines(more), "25%", "50%", "100%") +
		acctest.DataBlock("kuscia_rollout", "test", merged(of, tree{"depends_on": []any{acctest.Reference("kuscia_rollout_approval.test")}})) +
		acctest.Block("kuscia_rollout_approval", "test", merged(of, tree{"count": min(approved, 1), "step": max(approved, 1)}))
}

// block is a Rollout with further attributes and the replicas of its steps.
func (r *releases) block(label, name string, more acctest.Lines, replicas ...any) string {
	steps := make([]any, len(replicas))
	for i, count := range replicas {
		steps[i] = tree{"replicas": count}
	}
	return acctest.Block("kuscia_rollout", label, map[string]any{
		"namespace": domain, "name": name, "workload_ref": tree{"name": r.name}, "canary": tree{"steps": steps}, "more": more,
	})
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
	w := acctest.NewWorkspace(t, acctest.Factories(r.k.Variables()))
	t.Cleanup(func() {
		if r.k.Get(acctest.KubeRollouts, domain, r.name) != nil {
			t.Errorf("rollout %s still exists", r.name)
		}
	})
	applied := func(approved int) {
		t.Helper()
		w.Write("main.tf", r.configuration("", approved))
		w.Apply()
		w.Plan(acctest.PlanEmpty)
	}
	refused := func(config, says string) {
		t.Helper()
		w.Write("main.tf", config)
		if output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false")); !regexp.MustCompile(says).MatchString(output) {
			t.Errorf("no %q in %s", says, output)
		}
	}
	shown := func(attribute string, want any) {
		t.Helper()
		if got := dataInState(t, w)[attribute]; got != want {
			t.Errorf("the data source shows %s %v, want %v", attribute, got, want)
		}
	}
	w.Write("main.tf", r.configuration("", 0))
	w.Init()
	w.DestroyAtEnd()
	applied(0)
	shown("state", "healthy")
	r.paused(t)
	applied(0)
	shown("awaits_approval", true)
	refused(r.configuration("disabled = true", 0), `Release is in progress.*all pods get the new version at once`)
	refused(r.configuration("", 2), `not paused at step 2.*Nothing was written`)
	applied(1)
	shown("current_step_index", 2.0)
	applied(2)
	shown("last_release", "completed")
	r.pods("v2")
	applied(0)
}

// dataInState has the attributes of the only data source in a state.
func dataInState(t *testing.T, w *acctest.Workspace) tree {
	t.Helper()
	var state struct {
		Resources []struct {
			Mode      string
			Instances []struct{ Attributes tree }
		}
	}
	if err := json.Unmarshal([]byte(w.Read("terraform.tfstate")), &state); err != nil {
		t.Fatal(err)
	}
	for _, r := range state.Resources {
		if r.Mode == "data" {
			return r.Instances[0].Attributes
		}
	}
	return nil
}

// TestAccRolloutDestroyed: the plan of a destroy during a release fails.
func TestAccRolloutDestroyed(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestDuringRelease", "TestDeleteSeesTheRelease"))
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
	acctest.SkipShort(t, acctest.ShownBy("TestOtherRolloutLeaves"))
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	at := func(label, name string) string { return r.block(label, name, "", "25%", "100%") }
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		Steps: []resource.TestStep{
			{Config: at("first", r.name)},
			{Config: at("second", r.name+"-new"), ConfigPlanChecks: emptyPlan},
			{Config: at("second", r.name+"-new") + at("third", r.name), ExpectError: regexp.MustCompile(`(?s)Workload has a Rollout.*add\s+a\s+moved\s+block`)},
			{Config: at("third", r.name) + acctest.Moved("kuscia_rollout.second", "kuscia_rollout.third"), ConfigPlanChecks: emptyPlan},
		},
	})
}

// TestAccDestroyResumed: a destroy that plans a create which another Rollout refuses names
// the way out, and that one works.
func TestAccDestroyResumed(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTwoRolloutsOfOneRun"))
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	w := acctest.NewWorkspace(t, acctest.Factories(r.k.Variables()))
	w.Write("main.tf", r.block("test", r.name, "", "25%", "100%")+acctest.Block("kuscia_traffic_routing", "test", tree{
		"namespace": domain, "name": r.name, "object_ref": []any{tree{"service": "s", "ingress": tree{"name": "i"}}}, "strategy": tree{"weight": 5},
	}))
	w.Init()
	w.Apply()
	w.Run(0, "destroy", "-auto-approve", "-input=false", "-target=kuscia_rollout.test")
	other := accessTo(r.k)
	crudtest.NewServer(t, exported, other).ApplyAndVerify(t, r.config(tree{"name": r.name + "-other"}), r.None())
	output := acctest.Plain(w.Run(1, "destroy", "-auto-approve", "-input=false"))
	if !strings.Contains(output, "Workload has a Rollout") || !strings.Contains(output, check.ResumeDestroy) {
		t.Errorf("the destroy says %s", output)
	}
	w.Run(0, "destroy", "-auto-approve", "-input=false", "-refresh=false")
	if r.k.Get(acctest.KubeTrafficRoutings, domain, r.name) != nil {
		t.Error("the traffic routing still exists")
	}
}

// TestAccRolledBack: a rolled back release is reported as such.
func TestAccRolledBack(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestNotApproved"))
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
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyUnknown"))
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	later := func(attribute string) acctest.Reference {
		return acctest.Reference("terraform_data.known_later.output." + attribute)
	}
	config := acctest.Block("terraform_data", "known_later", tree{"input": tree{"name": r.name, "replicas": "25%", "paused": true}}) +
		acctest.Block("kuscia_rollout", "test", tree{
			"namespace": domain, "name": later("name"), "workload_ref": tree{"name": later("name")}, "paused": later("paused"),
			"canary": tree{"steps": []any{tree{"replicas": later("replicas")}, tree{"replicas": "100%"}}},
		}) +
		acctest.Block("kuscia_traffic_routing", "test", tree{
			"namespace": acctest.Reference("kuscia_rollout.test.namespace"), "name": acctest.Reference("kuscia_rollout.test.name"),
			"object_ref": []any{tree{"service": later("name"), "ingress": tree{"name": "i"}}}, "strategy": tree{"weight": 5},
		})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(r.k.Variables()),
		Steps: []resource.TestStep{
			{Config: config, ConfigPlanChecks: emptyPlan, ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("kuscia_rollout.test", tfjsonpath.New("id"), knownvalue.StringExact(domain+"/"+r.name)),
			}},
			{Config: config, ResourceName: "kuscia_traffic_routing.test", ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"force_conflicts"}},
		},
	})
}

// TestAccApprovalImported: the plan of an import with timeouts and triggers is empty.
func TestAccApprovalImported(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestImportedApproval"))
	acctest.CLI(t)
	t.Parallel()
	k := acctest.NewKube(t)
	config := acctest.Block("kuscia_rollout_approval", "test", tree{
		"namespace": domain, "name": "r", "step": 2, "triggers": tree{"image": "v2"}, "timeouts": tree{"create": "5m"},
	}) + acctest.ImportInto("kuscia_rollout_approval.test", domain+"/r/2")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(k.Variables()),
		Steps: []resource.TestStep{{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_rollout_approval.test", plancheck.ResourceActionNoop)},
			PostApplyPostRefresh: emptyPlan.PostApplyPostRefresh,
		}}},
	})
}
