package rollout_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestLateController: a controller that is stopped or slow, one test after the other on a
// cluster of their own.
func TestLateController(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	for name, test := range map[string]func(*testing.T, *releases){
		"time limit": testTimeLimit, "overwritten approval": testOverwrittenApproval, "delete": testDeleteSeesTheRelease,
		"promoted by delete":  func(t *testing.T, r *releases) { testPromoteAtOnce(t, r, false) },
		"promoted by disable": func(t *testing.T, r *releases) { testPromoteAtOnce(t, r, true) },
		"disable":             testDisableUnfinished, "pending release": testPendingRelease,
	} {
		t.Run(name, func(t *testing.T) {
			defer k.SetLag(acctest.KruiseController, 0)
			test(t, newReleasesOn(t, k.For(t), nil))
		})
	}
}

// testTimeLimit: the wait for a step that does not end fails after the time limit, and the
// state has the approval. The next apply repeats the wait, not the approval.
func testTimeLimit(t *testing.T, r *releases) {
	t.Helper()
	r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	short := r.approval(t, 1, tree{"timeouts": tree{"create": "2s", "update": "1s"}})
	r.k.StopController(acctest.KruiseController)
	approval, said := r.approvals.Apply(t, short, r.approvals.None())
	if !strings.Contains(said, "run terraform untaint") {
		t.Errorf("create: got diagnostics %s", said)
	}
	writes := r.k.CountRequests()
	waiting, again := r.approvals.Apply(t, short, approval)
	for what, said := range map[string]string{"create": said, "update": again} {
		if !strings.Contains(said, "was approved") || !strings.Contains(said, "the timeout has passed") || !strings.Contains(said, "feature gate AdvancedDeployment") {
			t.Errorf("%s: got diagnostics %s", what, said)
		}
	}
	if changes, _ := r.approvals.Changes(t, short, waiting); fmt.Sprint(changes) != "[complete]" {
		t.Errorf("the next plan changes %v", changes)
	}
	r.k.StartController(acctest.KruiseController)
	if _, said := r.approvals.ApplyAndVerify(t, r.approval(t, 1, nil), waiting); said != "" || r.release(t).Step != 2 {
		t.Errorf("the repeated wait: release %s; diagnostics: %s", r.release(t), said)
	}
	acctest.CheckNoWrites(t, "the repeated wait", writes)
}

// testOverwrittenApproval: an approval that the controller overwrites, since it replaces
// the status that it has read before, is sent again.
func testOverwrittenApproval(t *testing.T, r *releases) {
	t.Helper()
	r.ApplyAndVerify(t, r.steps(tree{"canary": tree{"steps": fourSteps}}), r.None())
	r.paused(t)
	r.k.StopController(acctest.KruiseController)
	said := make(chan string, 1)
	go func() {
		_, diagnostics := r.approvals.Apply(t, r.approval(t, 1, tree{"to_step": int64(3)}), r.approvals.None())
		said <- diagnostics
	}()
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "approved", func(*unstructured.Unstructured) bool { return r.release(t).NextStep == 3 })
	r.k.Patch(acctest.KubeRollouts, domain, r.name, types.MergePatchType, `{"status":{"canaryStatus":{"currentStepState":"StepPaused","nextStepIndex":2}}}`, "status")
	r.k.StartController(acctest.KruiseController)
	if diagnostics, at := <-said, r.release(t); strings.Contains(diagnostics, "ERROR") || at.State != kruise.AwaitingApproval || at.Step != 3 {
		t.Errorf("the release is %s; diagnostics: %s", at, diagnostics)
	}
}

// testDeleteSeesTheRelease: a Rollout is not deleted during a release that its
// status does not show yet, nor during one that begins after the plan.
func testDeleteSeesTheRelease(t *testing.T, r *releases) {
	t.Helper()
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.held(t)
	if kept, said := r.Delete(t, state); kept.Value.IsNull() || !strings.Contains(said, "Release is in progress") || !strings.Contains(said, "promote_on_destroy") {
		t.Errorf("before the status shows the release, delete: got diagnostics %s", said)
	}
	r.k.SetLag(acctest.KruiseController, 0)
	r.until(t, kruise.AwaitingApproval, 1)
	err := rollout.Delete(t.Context(), r.c, domain, r.name, false)
	if err == nil || !strings.Contains(err.Error(), "paused at step 1 of 3") || r.stored(t).GetDeletionTimestamp() != nil {
		t.Errorf("delete without the guard: %v", err)
	}
	if err := rollout.Delete(t.Context(), r.c, domain, r.name, true); err != nil {
		t.Errorf("delete with promote_on_destroy: %v", err)
	}
	r.pods("v2")
}

var promote = tree{"promote_on_destroy": true}

// testPromoteAtOnce: with promote_on_destroy, a Rollout that is deleted or disabled at the
// very beginning of a release gives all pods the new version, as it does later.
func testPromoteAtOnce(t *testing.T, r *releases, disable bool) {
	t.Helper()
	state, _ := r.ApplyAndVerify(t, r.steps(promote), r.None())
	r.held(t)
	r.k.SetLag(acctest.KruiseController, time.Second)
	if disable {
		r.ApplyAndVerify(t, r.steps(merged(promote, tree{"disabled": true})), state)
	} else if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("got diagnostics %s", said)
	}
	r.pods("v2")
}

// testDisableUnfinished: a Rollout that is disabled during a release, and whose controller
// does not end that within timeouts.update, is an error that warns of resuming the
// Deployment.
func testDisableUnfinished(t *testing.T, r *releases) {
	t.Helper()
	with := merged(promote, tree{"timeouts": tree{"update": "2s"}})
	state, _ := r.ApplyAndVerify(t, r.steps(with), r.None())
	r.paused(t)
	r.k.SetLag(acctest.KruiseController, time.Hour)
	_, said := r.Apply(t, r.steps(merged(with, tree{"disabled": true})), state)
	protocol.Says(t, "the apply", said, "ERROR", "cluster has stored disabled = true", "do not resume the Deployment before", "the timeout has passed")
	if disabled, _, _ := unstructured.NestedBool(r.stored(t).Object, "spec", "disabled"); !disabled {
		t.Error("the Rollout is not disabled")
	}
}

// testPendingRelease: a Rollout does not give up a Deployment that the webhook has paused,
// although its status does not show the release yet. Disabled by another client, it keeps
// the Deployment paused until it is enabled again.
func testPendingRelease(t *testing.T, r *releases) {
	t.Helper()
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.held(t)
	other := tree{"workload_ref": tree{"name": r.name + "-other"}}
	r.refuses(t, state, map[string]refusal{
		"disabled": {tree{"disabled": true}, "about to release a change of its workload"}, "workload": {other, "about to release a change of its workload"},
	})
	r.k.Patch(acctest.KubeRollouts, domain, r.name, types.JSONPatchType, `[{"op":"replace","path":"/spec/disabled","value":true}]`)
	r.k.SetLag(acctest.KruiseController, 0)
	r.until(t, kruise.Disabled, 0)
	with := tree{"wait_for_healthy": false, "force_conflicts": true}
	_, state = r.Read(t, state)
	state, _ = r.ApplyAndVerify(t, r.steps(merged(with, tree{"disabled": true})), state)
	r.refuses(t, state, map[string]refusal{
		"disabled": {merged(merged(with, other), tree{"disabled": true}), "with disabled = false"}, "enabled": {merged(with, other), "with disabled = false"},
	})
	if kept, said := r.Delete(t, state); kept.Value.IsNull() || !strings.Contains(said, "enabled again (disabled = false)") {
		t.Errorf("delete: got diagnostics %s", said)
	}
	r.ApplyAndVerify(t, r.steps(with), state)
	r.until(t, kruise.AwaitingApproval, 1)
}
