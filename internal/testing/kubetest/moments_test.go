package kubetest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
)

// Snapshots of moments between two states. A controller is slow then, so that the moment
// lasts. It serves all releases of a server, which are therefore played in turn.

// slowPods is the time factor with which pods take twenty seconds to start.
const slowPods = 20

// passes waits until Rollout and Deployment are in the state of a mark, with the numbers
// of pods that are being replaced.
func (r *release) passes(mark string) {
	r.Helper()
	recorded := snapshot(r.T, r.events, mark)
	r.count.check(mark, until(func() string {
		return r.compare(recorded, func(object) bool { return false })
	}))
}

func (r *release) control(name string, settings kubetest.Control) {
	r.Helper()
	if err := r.server.Control(name, settings); err != nil {
		r.Fatal(err)
	}
}

// replaceSlowly performs an operation, and lets Kubernetes replace pods only when Kruise
// is done with it, and slowly.
func (r *release) replaceSlowly(operation func(), done func() string) {
	r.Helper()
	r.control("kubernetes", kubetest.Control{Stopped: new(true)})
	operation()
	r.eventually("done by Kruise", done)
	r.server.SetTimeFactor(slowPods)
	r.control("kubernetes", kubetest.Control{Stopped: new(false)})
}

// reconcilePods lets Kubernetes reconcile the Deployment, which otherwise waits for the
// start of the pods according to the previous time factor.
func (r *release) reconcilePods() {
	r.Helper()
	if code, message := r.patch(deployments, "alice", r.name, object{"metadata": object{"annotations": object{"touched": "now"}}}); code != 200 {
		r.Fatal(message)
	}
}

// TestPodsSlower: Kruise is done with a step, a release, or a deleted Rollout before
// Kubernetes has replaced the pods.
func TestPodsSlower(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil)
	for _, c := range drawn(t, 2, []played{
		{file: "2-delmid-partition", style: byPartition, play: deletedWhilePaused((*release).passes)},
		{file: "2-delmid-partition-api", style: byPartition, party: partyFromKusciaAPI(), play: deletedWhilePaused((*release).passes)},
		// In the recording the status of the new ReplicaSet is a second late.
		{file: "2-delmid-canary", style: byCanary, play: deletedWhilePaused((*release).waitFor)},
		{file: "2-delmid-bluegreen", style: byBlueGreen, play: deletedWhilePaused((*release).passes)},
		{file: "2-jump", style: byPartition, play: jumpToLast},
		{file: "2-last", style: byPartition, steps: []any{step(1, object{}), step(2, object{})}, play: lastBelowAll},
	}) {
		t.Run(c.file, func(t *testing.T) { //nolint:paralleltest // it stops a controller
			r := seriesOn(t, s, c.file, c.style, c.party, c.allSteps()...)
			defer s.SetTimeFactor(timeFactor)
			c.play(r)
		})
	}
}

// deletedWhilePaused deletes a Rollout at its first step.
func deletedWhilePaused(compare func(r *release, mark string)) func(r *release) {
	return func(r *release) {
		r.setImage("v2")
		r.waitPaused(1)
		r.replaceSlowly(func() { r.delete(rollouts, "alice", r.name) }, func() string {
			if r.get(rollouts, "alice", r.name) != nil {
				return "the Rollout is still there"
			}
			return ""
		})
		compare(r, "at gone")
		r.server.SetTimeFactor(timeFactor)
		r.reconcilePods()
		r.waitFor("final")
	}
}

// jumpToLast jumps from the first to the last step.
func jumpToLast(r *release) {
	r.setImage("v2")
	r.waitPaused(1)
	r.replaceSlowly(func() {
		if code, message := r.patchStatus("nextStepIndex", 3); code != 200 {
			r.Fatal(message)
		}
	}, func() string {
		strategy := r.get(deployments, "alice", r.name).GetAnnotations()["rollouts.kruise.io/deployment-strategy"]
		if !strings.Contains(strategy, `"partition":"100%"`) {
			return strategy
		}
		return ""
	})
	r.waitFor("snapshot")
}

// lastBelowAll ends a release at a last step below 100%, and begins another one while
// pods are being replaced.
func lastBelowAll(r *release) {
	r.setImage("v2")
	r.waitPaused(1)
	r.approve()
	r.waitPaused(2)
	r.waitFor("last step paused")
	r.replaceSlowly(func() {
		if code, message := r.patchStatus("nextStepIndex", 99); code != 200 {
			r.Fatal(message)
		}
		r.approve()
	}, func() string {
		if got := deploymentSeen(r.get(deployments, "alice", r.name)); got["paused"] == true {
			return "the Deployment is paused"
		}
		return ""
	})
	r.passes("done")
	r.setImage("v3")
	r.waitFor("0.4 s")
}

// TestKruiseBehind: states that Kruise leaves with its next write, and those in which
// the pods are ready before Kruise knows.
func TestKruiseBehind(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil)
	for _, c := range drawn(t, 1, []played{
		{file: "2-pause", style: byPartition, play: approvedWhilePaused},
		{file: "2-cont-bluegreen", style: byBlueGreen, play: thirdVersion},
		{file: "3-cfg", style: byPartition, play: approvedTwice},
	}) {
		t.Run(c.file, func(t *testing.T) { //nolint:paralleltest // it slows down a controller
			r := seriesOn(t, s, c.file, c.style, c.party, c.allSteps()...)
			defer r.slowKruise(0)
			c.play(r)
		})
	}
}

// slowKruise lets Kruise see every change after some time.
func (r *release) slowKruise(lag time.Duration) {
	r.Helper()
	r.control("kruise", kubetest.Control{Lag: &metav1.Duration{Duration: lag}})
}

// approveStep approves a step in any state, until Kruise is at the next one.
func (r *release) approveStep(index int) {
	r.Helper()
	status := "/status/" + r.sub()
	approval := []any{
		object{"op": "test", "path": status + "/currentStepIndex", "value": index},
		object{"op": "replace", "path": status + "/currentStepState", "value": "StepReady"},
	}
	r.eventually(fmt.Sprint("at the step after ", index), func() string {
		r.patch(rollouts, "alice", r.name, approval, "status")
		if got := r.seen(); got["idx"] != int64(index+1) {
			return fmt.Sprint(got)
		}
		return ""
	})
}

// approvedWhilePaused approves a step of a Rollout that is paused, and resumes it.
func approvedWhilePaused(r *release) {
	r.setImage("v2")
	r.waitPaused(1)
	r.patchSpec(object{"strategy": object{"paused": true}})
	r.waitFor("paused")
	r.approve()
	r.waitFor("after approve while paused")
	r.slowKruise(kruiseBehind)
	r.patchSpec(object{"strategy": object{"paused": nil}})
	r.waitFor("snapshot") // before the message about the pause
}

// thirdVersion sets a third version in a blue-green release, and the second one again.
func thirdVersion(r *release) {
	r.next()
	r.setImage("v3")
	r.waitFor("3 s later")
	r.staysAs("9 s later", 6*time.Second)
	r.setImage("v2")
	r.waitFor("v2 again")
	r.slowKruise(kruiseBehind)
	r.approveStep(2)
	r.passes("after approve")
}

// approvedTwice approves the second step before its pods are ready.
func approvedTwice(r *release) {
	r.change("replace", "/spec/inputConfig", `{"a":2}`)
	r.waitPaused(1)
	r.waitFor("config release")
	r.approveStep(1)
	r.slowKruise(kruiseBehind)
	r.approveStep(2)
	r.waitFor("approved twice")
}
