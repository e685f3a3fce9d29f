package rollout_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// begun starts a release and returns when the webhook has paused the Deployment. Unlike in
// held, the controller does not lag, so that it may have taken control by then.
func (r *releases) begun(t *testing.T) {
	t.Helper()
	r.quiet(t)
	r.image("v2")
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "held", func(d *unstructured.Unstructured) bool {
		return d.GetAnnotations()[kruise.InProgressingAnnotation] != ""
	})
}

// TestUnreadableDeployment: a Deployment that may not be read could be paused at the
// beginning of a release, so that its Rollout is neither deleted nor disabled nor moved.
func TestUnreadableDeployment(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.RequireSimulated(t, "users of its own")
	refuses, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	promotes, _ := b.ApplyAndVerify(t, b.config(promote), refuses)
	b.k.Limit(acctest.KubeRule{APIGroups: []string{"rollouts.kruise.io"}, Resources: []string{"*"}, Verbs: []string{"*"}})
	const why = `cannot get resource "deployments"`
	for name, state := range map[string]crudtest.State{"refuse": refuses, "promote": promotes} {
		kept, said := b.Delete(t, state)
		if kept.Value.IsNull() || !strings.Contains(said, "paused for a release") || !strings.Contains(said, why) {
			t.Errorf("%s: delete: got diagnostics %s", name, said)
		}
		for _, change := range []tree{{"disabled": true}, {"workload_ref": tree{"name": b.name + "-other"}}} {
			change["promote_on_destroy"] = name == "promote"
			if _, said = b.Apply(t, b.config(change), state); !strings.Contains(said, why) || !strings.Contains(said, "ERROR") {
				t.Errorf("%s: change to %v: got diagnostics %s", name, change, said)
			}
		}
	}
	if disabled, _, _ := unstructured.NestedBool(b.stored(t).Object, "spec", "disabled"); disabled {
		t.Error("the Rollout was disabled")
	}
}

// deleteLeavesPaused deletes a Rollout whose controller leaves the Deployment paused: that
// is an error, and the next delete succeeds.
func (r *releases) deleteLeavesPaused(t *testing.T, state crudtest.State) {
	t.Helper()
	kept, said := r.Delete(t, state)
	if kept.Value.IsNull() || !strings.Contains(said, "kubectl rollout resume deployment/"+r.name+" -n "+domain) {
		t.Fatalf("delete: got diagnostics %s", said)
	}
	if found := r.k.Get(acctest.KubeRollouts, domain, r.name); found != nil {
		t.Error("the Rollout still exists")
	}
	if gone, said := r.Delete(t, kept); !gone.Value.IsNull() || said != "" {
		t.Errorf("the next delete: got diagnostics %s", said)
	}
}

// TestPromoteOfWaitingRelease: the delete of a Rollout whose release does not begin sends nothing
// until its time limit, and if that is later than half a minute, it goes on.
func TestPromoteOfWaitingRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.routed(promote), r.None())
	short, _ := r.ApplyAndVerify(t, r.routed(merged(promote, tree{"timeouts": tree{"delete": "1s"}})), state)
	r.begun(t)
	if kept, said := r.Delete(t, short); kept.Value.IsNull() || !strings.Contains(said, "Nothing was sent, since the controller") {
		t.Errorf("delete: got diagnostics %s", said)
	}
	r.deleteLeavesPaused(t, state)
}

// TestPromoteRepeated: the Rollout of a release that waits for missing traffic routing leaves the
// Deployment paused when it goes. A delete whose wait was killed after it was accepted checks
// that when it is repeated.
func TestPromoteRepeated(t *testing.T) {
	t.Parallel()
	const keep = "example.com/keep"
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.routed(promote), r.None())
	r.begun(t)
	r.k.Patch(acctest.KubeRollouts, domain, r.name, types.JSONPatchType, `[{"op":"add","path":"/metadata/finalizers/-","value":"`+keep+`"}]`)
	r.k.Delete(acctest.KubeRollouts, domain, r.name)
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "left by its controller", func(o *unstructured.Unstructured) bool {
		return slices.Equal(o.GetFinalizers(), []string{keep})
	})
	requests, done := r.k.CountRequests(), make(chan struct{})
	go func() {
		defer close(done)
		for wait := 10 * time.Second; wait > 0; wait -= 100 * time.Millisecond { // a real one does not count
			time.Sleep(100 * time.Millisecond)
			// It is sent after the Rollout and its Deployment were read.
			if slices.ContainsFunc(requests.Since(), func(k acctest.KubeRequest) bool { return k.Verb == "delete" && k.Name == r.name }) {
				break
			}
		}
		r.k.Patch(acctest.KubeRollouts, domain, r.name, types.MergePatchType, `{"metadata":{"finalizers":null}}`)
	}()
	defer func() { <-done }()
	r.deleteLeavesPaused(t, state)
}

// TestDisableOfWaitingRelease: a Rollout whose release does not begin, here since it is
// suspended, is not disabled: its Deployment would stay paused.
func TestDisableOfWaitingRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	suspended := merged(promote, tree{"paused": true})
	state, _ := r.ApplyAndVerify(t, r.steps(suspended), r.None())
	r.begun(t)
	writes := r.k.CountRequests()
	kept, said := r.Apply(t, r.steps(merged(suspended, tree{"disabled": true})), state)
	if !strings.Contains(said, "ERROR") || !strings.Contains(said, "its Deployment would stay paused") || !strings.Contains(said, "kubectl rollout resume") {
		t.Errorf("got diagnostics %s", said)
	}
	acctest.CheckNoWrites(t, "the refused change", writes)
	resumed, _ := r.ApplyAndVerify(t, r.steps(promote), kept)
	r.until(t, kruise.AwaitingApproval, 1)
	r.ApplyAndVerify(t, r.steps(merged(promote, tree{"disabled": true})), resumed)
	r.pods("v2")
}

// TestPromoteKeepsPaused: with a feature gate, OpenKruise Rollouts leaves the Deployment of
// a release in place paused when its Rollout is disabled or deleted. That is an error.
func TestPromoteKeepsPaused(t *testing.T) {
	t.Parallel()
	const gate = "KeepWorkloadPausedOnRolloutDeletion=true"
	r := newReleasesOn(t, acctest.NewKubeServerWithGates(t, gate), nil)
	state, _ := r.ApplyAndVerify(t, r.steps(promote), r.None())
	r.paused(t)
	disabled := r.steps(merged(promote, tree{"disabled": true}))
	state, said := r.Apply(t, disabled, state)
	protocol.Says(t, "the apply", said, "ERROR", "Rollout is disabled, but", "No later plan shows it", "KeepWorkloadPausedOnRolloutDeletion", "kubectl rollout resume deployment/"+r.name+" -n "+domain)
	r.k.Patch(acctest.KubeDeployments, domain, r.name, types.MergePatchType, `{"spec":{"paused":false}}`) // the command
	r.pods("v2")
	_, state = r.Read(t, state)
	r.CheckNoDrift(t, disabled, state)
	state, _ = r.ApplyAndVerify(t, r.steps(promote), state)
	r.image("v3")
	r.until(t, kruise.AwaitingApproval, 1)
	r.deleteLeavesPaused(t, state)
}
