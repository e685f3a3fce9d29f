package rollout_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// fourSteps are steps of which the last has no pause.
var fourSteps = []any{tree{"replicas": "25%"}, tree{"replicas": "50%"}, tree{"replicas": "75%"}, tree{"replicas": "100%"}}

// TestRelease: a release with an extra workload, approved step by step, and the beginning of the
// next one. The plans of the Rollout stay empty throughout.
func TestRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	config := r.steps(tree{"canary": tree{"steps": fourSteps, "enable_extra_workload_for_canary": true}})
	state, said := r.ApplyAndVerify(t, config, r.None())
	if said != "" || r.release(t).State != kruise.Healthy {
		t.Errorf("after the create the Rollout is %s; diagnostics: %s", r.release(t), said)
	}
	r.paused(t)
	r.CheckNoDrift(t, config, state)
	planned := func(step int, with tree) string {
		response, _ := r.approvals.Plan(t, r.approval(t, step, with), r.approvals.None())
		return crudtest.Messages(response.Diagnostics)
	}
	to3 := tree{"to_step": int64(3)}
	protocol.Says(t, "the plan of the first approval", planned(1, to3), `releases version "`+r.release(t).Revision+`"`, "finished step 1, and goes on with step 3 of 4, which adds 75% of the pods, then waits for an approval.")
	if said := planned(2, nil); said != "" {
		t.Errorf("the plan of an approval that waits says %s", said)
	}
	approval := r.approves(t, r.approval(t, 1, to3), r.approvals.None())
	if release := r.release(t); release.Step != 3 || release.State != kruise.AwaitingApproval {
		t.Errorf("after the first approval the release is %s", release)
	}
	r.CheckNoDrift(t, config, state)
	approval = r.approves(t, r.approval(t, 3, nil), approval)
	// The controller reports completion before the last pods run; the apply waits for them.
	if release := r.release(t); release.Outcome != kruise.Completed || !runs(r.k.Get(acctest.KubeDeployments, domain, r.name), "v2") {
		t.Errorf("after the last approval the release is %s", release)
	}
	r.CheckNoDrift(t, config, state)
	r.image("v3")
	r.until(t, kruise.AwaitingApproval, 1)
	// The same step is approved again.
	approval, _ = r.approvals.ApplyAndVerify(t, r.approval(t, 1, tree{"triggers": map[string]string{"image": "v3"}}), approval)
	if release := r.release(t); release.Step != 2 || release.State != kruise.AwaitingApproval {
		t.Errorf("after the approval the release is %s", release)
	}
	if gone, said := r.approvals.Delete(t, approval); !gone.Value.IsNull() || said != "" {
		t.Errorf("delete of the approval: got diagnostics %s", said)
	}
}

// TestApproveAction: the action approves steps forwards and backwards, reports
// progress, and ends with the release.
func TestApproveAction(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.ApplyAndVerify(t, r.steps(tree{"canary": tree{"steps": fourSteps}}), r.None())
	approve := newApprover(t, r.k)
	r.paused(t)
	for _, step := range []struct {
		config map[string]any
		at     int32
		ends   string
	}{
		{map[string]any{}, 2, "until it is approved"}, {map[string]any{"step": 2, "to_step": 1}, 1, "until it is approved"},
		{map[string]any{"step": 1, "to_step": 3}, 3, "until it is approved"}, {map[string]any{"step": 3}, 4, "the last release was completed"},
	} {
		step.config["namespace"], step.config["name"] = domain, r.name
		progress, said := approve(step.config)
		if release := r.release(t); said != "" || release.Step != step.at {
			t.Errorf("%v: the release is %s; diagnostics: %s", step.config, release, said)
		}
		if len(progress) < 2 || !strings.Contains(progress[0], "approved: paused at step") || !strings.Contains(progress[len(progress)-1], step.ends) {
			t.Errorf("%v: progress messages %q", step.config, progress)
		}
	}
	for says, config := range map[string]map[string]any{
		"is not a valid name": {"namespace": domain, "name": "A"}, "from 1 to 50": {"namespace": domain, "name": "a", "step": 0},
		"whole number": {"namespace": domain, "name": "a", "step": 1.5}, "no release to approve": {"namespace": domain, "name": r.name},
	} {
		if _, said := approve(config); !strings.Contains(said, says) {
			t.Errorf("%v: got diagnostics %s", config, said)
		}
	}
}

// TestNotApproved: a step at which the release is not paused is not approved.
// The error states the reason, and nothing is written.
func TestNotApproved(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.notApproved(t, "without a release", 1, nil, "no release to approve")
	r.paused(t)
	r.notApproved(t, "another step", 2, nil, "not paused at step 2: it is paused at step 1 of 3")
	r.notApproved(t, "a step that does not exist", 1, tree{"to_step": int64(4)}, "no step 4: the Rollout has steps 1 to 3")
	approved := r.approves(t, r.approval(t, 1, nil), r.approvals.None())
	if kept, said := r.approvals.Apply(t, r.approval(t, 3, nil), approved); !kept.Value.Equal(approved.Value) || !strings.Contains(said, "not paused at step 3") {
		t.Errorf("an update to another step: state %s, diagnostics %s", kept.Value, said)
	}
	r.notApproved(t, "twice", 1, nil, "Step 1 was approved already")
	r.notApproved(t, "after a killed apply", 1, nil, fmt.Sprintf("import {\n    to = kuscia_rollout_approval.NAME\n    id = \"%s/%s/1\"", domain, r.name))
	r.image("v1")
	r.until(t, kruise.Healthy, 0)
	r.notApproved(t, "rolled back", 2, nil, "the last release was rolled back")
	r.k.Delete(acctest.KubeRollouts, domain, r.name)
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "deleted", func(o *unstructured.Unstructured) bool { return o == nil })
	if _, said := r.approvals.Apply(t, r.approval(t, 1, nil), r.approvals.None()); !strings.Contains(said, "The cluster has no Rollout") {
		t.Errorf("deleted: got diagnostics %s", said)
	}
}

// notApproved checks that an approval is rejected and nothing is written.
func (r *releases) notApproved(t *testing.T, when string, step int, with tree, says string) {
	t.Helper()
	writes := r.k.CountRequests()
	_, said := r.approvals.Apply(t, r.approval(t, step, with), r.approvals.None())
	if !strings.Contains(said, says) || !strings.Contains(said, "Nothing was written.") {
		t.Errorf("%s: got diagnostics %s", when, said)
	}
	acctest.CheckNoWrites(t, when, writes)
}

// refusal is a change of a Rollout that is refused, and the reason.
type refusal struct {
	with tree
	says string
}

// refuses checks that changes are refused on their attribute, and nothing is written.
func (r *releases) refuses(t *testing.T, state crudtest.State, changes map[string]refusal) {
	t.Helper()
	for name, change := range changes {
		writes := r.k.CountRequests()
		if _, said := r.Apply(t, r.steps(change.with), state); !strings.Contains(said, change.says) || !strings.Contains(said, "ERROR: AttributeName") {
			t.Errorf("%s: got diagnostics %s", name, said)
		}
		acctest.CheckNoWrites(t, name, writes)
	}
}

// TestDuringRelease: the plan rejects changes that are not allowed during a
// release, in the words of the webhook; allowed changes are applied.
func TestDuringRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	three := fourSteps[1:]
	r.refuses(t, state, map[string]refusal{
		"workload": {tree{"workload_ref": tree{"name": "other"}}, "Rollout 'ObjectRef' field is immutable"},
		"extra":    {tree{"canary": tree{"steps": three, "enable_extra_workload_for_canary": true}}, "Rollout style and enableExtraWorkloadForCanary are immutable"},
		"style":    {tree{"canary": nil, "blue_green": tree{"steps": three}}, "Rollout style and enableExtraWorkloadForCanary are immutable"},
		"steps":    {tree{"canary": tree{"steps": fourSteps}}, "Amount of Rollout steps are immutable"},
		"traffic":  {tree{"canary": tree{"steps": three, "traffic_routings": []any{tree{"service": "s", "ingress": tree{"name": "i"}}}}}, "TrafficRoutings' field is immutable"},
		"disable":  {tree{"disabled": true}, "all pods get the new version at once"},
		"rename":   {tree{"name": r.name + "-new"}, "is not deleted, since it is paused at step 1 of 3"},
	})
	if after, said := r.Delete(t, state); after.Value.IsNull() || !strings.Contains(said, "all pods get the new version at once") {
		t.Errorf("delete: got diagnostics %s", said)
	}
	more := tree{"steps": []any{tree{"replicas": "50%"}, tree{"replicas": "75%"}, tree{"replicas": "100%"}}, "failure_threshold": "1"}
	state, _ = r.ApplyAndVerify(t, r.steps(tree{"canary": more}), state)
	state, said := r.ApplyAndVerify(t, r.steps(tree{"canary": more, "promote_on_destroy": true}), state)
	if said != "" {
		t.Error(said)
	}
	if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("with promote_on_destroy, delete: got diagnostics %s", said)
	}
	r.pods("v2")
}

// TestFewerPodsDuringRelease: fewer pods in the step at which a release is paused
// would make the controller continue with a later step, so the plan rejects it; other
// changes of the steps make it carry out the same step again, and the plan warns.
func TestFewerPodsDuringRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	steps := func(first, second string) definition.Value {
		return r.steps(tree{"canary": tree{"steps": []any{tree{"replicas": first}, tree{"replicas": second}, tree{"replicas": "100%"}}}})
	}
	state, _ := r.ApplyAndVerify(t, steps("50%", "75%"), r.None())
	r.paused(t)
	for step, fewer := range map[string]definition.Value{"step 2": steps("25%", "75%"), "step 3": steps("1", "1")} {
		said := r.said(t, fewer, state)
		if !strings.Contains(said, `ERROR: AttributeName("canary").AttributeName("steps")`) || !strings.Contains(said, "continues with "+step+" without an approval") {
			t.Errorf("%s: got diagnostics %s", step, said)
		}
	}
	same := steps("50%", "70%")
	if said := r.said(t, same, state); strings.Contains(said, "ERROR") || !strings.Contains(said, "carry out step 1 again") {
		t.Errorf("as many pods: got diagnostics %s", said)
	}
	r.ApplyAndVerify(t, same, state)
	r.until(t, kruise.AwaitingApproval, 1)
	if release := r.release(t); release.UpdatedReplicas != 2 {
		t.Errorf("as many pods: the Rollout is %s", release)
	}
}

// TestWithoutPods: with the extra workload, the controller ignores a Rollout until its
// Deployment has pods; nothing waits for that, and the plan says so.
func TestWithoutPods(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.scale(0)
	extra := func(with tree) definition.Value {
		canary := tree{"enable_extra_workload_for_canary": true, "steps": []any{tree{"replicas": "25%"}, tree{"replicas": "100%"}}}
		return r.steps(merged(tree{"canary": canary, "timeouts": tree{"create": "20s", "update": "20s"}}, with))
	}
	state, said := r.ApplyAndVerify(t, extra(nil), r.None())
	if strings.Contains(said, "ERROR") || !strings.Contains(said, `WARNING: AttributeName("canary").AttributeName("enable_extra_workload_for_canary")`) {
		t.Errorf("create: got diagnostics %s", said)
	}
	if _, said = r.ApplyAndVerify(t, extra(tree{"paused": true}), state); strings.Contains(said, "ERROR") {
		t.Errorf("update: got diagnostics %s", said)
	}
}

// TestLostApproval: an approval whose request or response is lost is applied once. If it may have
// been stored, the error says so and has the import block for it.
func TestLostApproval(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.k.RequireSimulated(t, "faults")
	r.ApplyAndVerify(t, r.steps(tree{"canary": tree{"steps": fourSteps}}), r.None())
	r.paused(t)
	r.k.Fault(acctest.KubeFault{Verb: "patch", Delay: time.Minute})
	state, said := r.approvals.Apply(t, r.approval(t, 1, tree{"timeouts": tree{"create": "2s"}}), r.approvals.None())
	for _, want := range []string{"Unknown whether step was approved", "before you approve again", domain + "/" + r.name + "/1"} {
		if !state.Value.IsNull() || !strings.Contains(said, want) {
			t.Errorf("the apply does not say %q: %s", want, said)
		}
	}
	r.k.NoFaults()
	for i, cut := range []string{acctest.KubeCutAfter, acctest.KubeCutBefore} {
		step := i + 1
		r.k.Fault(acctest.KubeFault{Verb: "patch", Cut: cut})
		if r.approves(t, r.approval(t, step, nil), r.approvals.None()); int(r.release(t).Step) != step+1 {
			t.Errorf("cut %s: the release is %s", cut, r.release(t))
		}
	}
}

// TestBlueGreen: blue-green is rejected if Kuscia sets the update strategy, and
// works otherwise. During a release, the plan rejects the same changes as in place.
func TestBlueGreen(t *testing.T) {
	t.Parallel()
	two := []any{tree{"replicas": "50%"}, tree{"replicas": "100%"}}
	green := tree{"canary": nil, "blue_green": tree{"steps": two}}
	set := newReleases(t, map[string]any{"type": "RollingUpdate"})
	if said := set.PlanErrors(t, set.steps(green)); !strings.Contains(said, `ERROR: AttributeName("blue_green")`) || !strings.Contains(said, "sets the update strategy of Deployment") {
		t.Errorf("with a strategy, plan: got diagnostics %s", said)
	}
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.steps(green), r.None())
	r.paused(t)
	r.refuses(t, state, map[string]refusal{
		"style": {tree{"canary": tree{"steps": two}}, "Rollout style and enableExtraWorkloadForCanary are immutable"},
		"steps": {tree{"canary": nil, "blue_green": tree{"steps": two[1:]}}, "Amount of Rollout steps are immutable"},
	})
	r.approves(t, r.approval(t, 1, nil), r.approvals.None())
	r.CheckNoDrift(t, r.steps(green), state)
	r.image("v3")
	r.until(t, kruise.Blocked, 0)
	if _, said := r.approvals.Apply(t, r.approval(t, 2, nil), r.approvals.None()); !strings.Contains(said, "Roll the workload back") {
		t.Errorf("with a third image, approval: got diagnostics %s", said)
	}
	r.image("v2")
	r.until(t, kruise.AwaitingApproval, 2)
	r.c.PlannedWorkloads = run.PlannedWorkloads{}
	during := strategyOf(t, r.c, r.name) // it may be that of a rollback
	r.approves(t, r.approval(t, 2, nil), r.approvals.None())
	if after := strategyOf(t, r.c, r.name); during != "" || !strings.Contains(after, "Blue-green does not work") {
		t.Errorf("a strategy of Kuscia says %q during the release, and %q after it", during, after)
	}
}

// TestBlueGreenOrder: the combination of blue-green and an update strategy set by Kuscia is
// rejected in either order, in one run and in two, unless the Rollout is disabled. A run sees
// the Rollouts after its own writes.
func TestBlueGreenOrder(t *testing.T) {
	t.Parallel()
	const broken = "Blue-green does not work with the Deployment"
	r := newPlans(t)
	green := tree{"canary": nil, "blue_green": tree{"steps": []any{tree{"replicas": "50%"}, tree{"replicas": "100%"}}}}
	strategyOf(t, r.c, r.name)
	if said := r.PlanErrors(t, r.steps(green)); !strings.Contains(said, `ERROR: AttributeName("blue_green")`) || !strings.Contains(said, broken) {
		t.Errorf("after the strategy of the same run, Rollout: got diagnostics %s", said)
	}
	r.c.PlannedWorkloads = run.PlannedWorkloads{}
	strategyOf(t, r.c, r.name)
	if said := r.PlanErrors(t, r.steps(merged(green, tree{"disabled": true}))); said != "" {
		t.Errorf("disabled: got diagnostics %s", said)
	}
	// strategy checks what a strategy is told after a write, and with planned after a plan.
	strategy := func(what string, refused, planned bool) {
		t.Helper()
		if !planned {
			r.c.PlannedWorkloads = run.PlannedWorkloads{}
		}
		if said := strategyOf(t, r.c, r.name); strings.Contains(said, broken) != refused || !refused && said != "" {
			t.Errorf("%s: got diagnostics %s", what, said)
		}
		r.c.PlannedWorkloads = run.PlannedWorkloads{}
	}
	strategy("after a disabled one", false, true)
	strategy("without a Rollout", false, false)
	r.Plan(t, r.steps(green), r.None())
	strategy("after its plan", true, true)
	state, _ := r.ApplyAndVerify(t, r.steps(green), r.None())
	strategy("after its create", true, false)
	if said := strategyOf(t, r.c, r.name+"-other"); said != "" {
		t.Errorf("of another Deployment: %s", said)
	}
	r.Plan(t, r.steps(nil), state)
	strategy("after the plan of canary", false, true)
	state, _ = r.ApplyAndVerify(t, r.steps(nil), state)
	strategy("after its update", false, false)
	state, _ = r.ApplyAndVerify(t, r.steps(green), state)
	strategy("after another update", true, false)
	r.Delete(t, state)
	strategy("after its delete", false, false)
}

// TestOrder: a second Rollout for a workload, a Rollout before its workload,
// and a workload changed in the same run.
func TestOrder(t *testing.T) {
	t.Parallel()
	r := newPlans(t)
	r.ApplyAndVerify(t, r.steps(nil), r.None())
	if said := r.PlanErrors(t, r.steps(tree{"name": r.name + "-second"})); !strings.Contains(said, `ERROR: AttributeName("workload_ref")`) ||
		!strings.Contains(said, "one workload only have less than one Rollout") || !strings.Contains(said, "add a moved block") {
		t.Errorf("a second Rollout: %s", said)
	}
	later := r.steps(tree{"name": r.name + "-later", "workload_ref": tree{"name": r.name + "-later"}})
	state, said := r.ApplyAndVerify(t, later, r.None())
	if strings.Contains(said, "ERROR") || !strings.Contains(said, "The Rollout does nothing until it exists") {
		t.Errorf("before its workload: %s", said)
	}
	r.Delete(t, state)

	notServed := r.steps(tree{"workload_ref": tree{"api_version": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "name": "x"}})
	if said := r.PlanErrors(t, notServed); !strings.Contains(said, `WARNING: AttributeName("workload_ref")`) || strings.Contains(said, "ERROR") ||
		!strings.Contains(said, "The cluster has no CloneSet of apps.kruise.io/v1alpha1") {
		t.Errorf("the plan of a kind that is not served: %s", said)
	}
	if made, said := r.Apply(t, notServed, r.None()); !made.Value.IsNull() || !strings.Contains(said, `ERROR: AttributeName("workload_ref")`) {
		t.Errorf("the apply of a kind that is not served: %s", said)
	}

	both := r.steps(tree{"name": r.name + "-both", "workload_ref": tree{"name": r.name + "-both"}})
	warned := changeOf(r.c, r.name+"-both")
	if len(warned) != 0 {
		t.Errorf("a change without a Rollout: %v", warned)
	}
	if said := r.PlanErrors(t, both); !strings.Contains(said, "all pods would get the new version at once") || !strings.Contains(said, "depends_on") {
		t.Errorf("with a change of the same run: %s", said)
	}
	if warned = changeOf(r.c, r.name+"-both"); len(warned) != 1 || !strings.Contains(warned[0].Detail(), "in the same apply") {
		t.Errorf("a change after the Rollout was planned: %v", warned)
	}
}

// TestOrderOfChanges: a changed Rollout that takes over a Deployment after the
// Deployment got its new version is rejected like a new Rollout.
func TestOrderOfChanges(t *testing.T) {
	t.Parallel()
	r := newPlans(t)
	const late = "all pods would get the new version at once"
	disabled, _ := r.ApplyAndVerify(t, r.steps(tree{"disabled": true}), r.None())
	changeOf(r.c, r.name)
	if said := r.said(t, r.steps(nil), disabled); !strings.Contains(said, late) {
		t.Errorf("enabled: %s", said)
	}
	if said := r.said(t, r.steps(tree{"disabled": true, "paused": true}), disabled); said != "" {
		t.Errorf("still disabled: %s", said)
	}
	enabled, _ := r.ApplyAndVerify(t, r.steps(tree{"workload_ref": tree{"name": r.name + "-other"}}), disabled)
	if said := r.said(t, r.steps(nil), enabled); !strings.Contains(said, late) {
		t.Errorf("with another reference: %s", said)
	}
	if said := r.said(t, r.steps(tree{"workload_ref": tree{"name": r.name + "-other"}, "paused": true}), enabled); said != "" {
		t.Errorf("with the same reference: %s", said)
	}
}

// TestOrderOfRemoval: a Rollout that is deleted, disabled or moved in the run that also
// changes its Deployment is a warning, whichever of the two is planned first. Without that
// change, or for a Rollout that was disabled, there is none.
func TestOrderOfRemoval(t *testing.T) {
	t.Parallel()
	r := newPlans(t)
	const warning = "in the same apply in which Rollout"
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	for name, config := range map[string]definition.Value{
		"delete": r.None().Value, "disable": r.steps(tree{"disabled": true}), "move": r.steps(tree{"workload_ref": tree{"name": r.name + "-other"}}),
	} {
		r.c.PlannedWorkloads = run.PlannedWorkloads{}
		alone := r.said(t, config, state)
		warned := changeOf(r.c, r.name)
		if alone != "" || len(warned) != 1 || !strings.Contains(warned[0].Detail(), warning) {
			t.Errorf("%s alone: %s, a change after it: %v", name, alone, warned)
		}
		if said := r.said(t, config, state); !strings.Contains(said, warning) || strings.Contains(said, "ERROR") {
			t.Errorf("%s after a change: %s", name, said)
		}
	}
	disabled, _ := r.ApplyAndVerify(t, r.steps(tree{"disabled": true}), state)
	if said := r.said(t, r.None().Value, disabled); said != "" {
		t.Errorf("delete of a disabled Rollout: %s", said)
	}
}
