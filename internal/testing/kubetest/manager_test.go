package kubetest_test

import (
	"regexp"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
)

// named returns another release on the same server.
func (r *release) named(name string) *release {
	r.Helper()
	other := *r
	other.name = name
	r.Cleanup(other.remove)
	other.begin(nil, usualSteps()...)
	return &other
}

// answered checks the response to a request against that of a mark. What differs is the
// port of the webhook, and how a connection to it fails.
func (r *release) answered(mark string, code int, message string) {
	r.Helper()
	recorded, _ := marked(r.T, r.events, mark).([]any)
	if code < 300 {
		message, recorded[1] = "", "" // the kind of the object
	}
	want, _ := recorded[1].(string)
	r.check(mark, differences([]any{code, withoutConnection(message)}, []any{recorded[0], withoutConnection(want)}))
}

var connection = regexp.MustCompile(`https://127\.0\.0\.1:\d+(/convert\?timeout=30s": ).*`)

func withoutConnection(message string) string {
	return connection.ReplaceAllString(message, "https://$1")
}

// TestManagerDown: while Kruise's manager does not run, Kuscia cannot change a
// Deployment that it has labelled, and tells nobody; Rollouts can be approved and read,
// not changed, and their deletion waits. After a restart all of this is made up for.
func TestManagerDown(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil)
	r := seriesOn(t, s, "8-manager-down", byPartition, partyFromKusciaAPI(), usualSteps()...)
	inRelease, idle := r.named("kr-m2"), r.named("kr-m3")
	inRelease.setImage("v2")
	inRelease.waitPaused(1)

	r.control("kruise", kubetest.Control{Stopped: new(true)})
	r.setImage("v2")
	r.staysAs("8 s", 8*time.Second)

	other := r.rolloutObject(usualSteps()...)
	other["metadata"] = object{"name": "kr-m4"}
	code, message := r.create(rollouts, "alice", other)
	r.answered("create Rollout", code, message)
	code, message = r.patch(rollouts, "alice", r.name, object{"spec": object{"disabled": true}})
	r.answered("update Rollout spec", code, message)
	code, message = inRelease.patchStatus("currentStepState", "StepReady")
	r.answered("patch Rollout status (approve)", code, message)
	code, message = r.patch(deployments, "alice", r.name, object{"metadata": object{"annotations": object{"a": "b"}}})
	r.answered("direct Deployment patch", code, message)

	r.delete(rollouts, "alice", idle.name)
	time.Sleep(5 * time.Second / 20)
	if left := r.get(rollouts, "alice", idle.name); left == nil {
		t.Error("a Rollout is gone without the manager")
	} else {
		r.check("kr-m3 meta", differences(left.GetFinalizers(), marked(t, r.events, "kr-m3 meta").(object)["finalizers"]))
	}
	r.delete(kusciaDeployments, "cross-domain", inRelease.name)
	inRelease.eventually("the Deployment is deleted", func() string {
		return differences(r.get(deployments, "alice", inRelease.name) == nil, true)
	})
	s.SetTimeFactor(1) // the recorded state lasts two seconds
	r.control("kruise", kubetest.Control{Stopped: new(false)})
	idle.waitGone()
	r.waitFor("after restart")
	s.SetTimeFactor(timeFactor)
}

// TestImageBeforeLabel: an image that is changed before the controller has labelled the
// Deployment is rolled out at once, and the Rollout knows nothing of it.
func TestImageBeforeLabel(t *testing.T) {
	if testing.Short() {
		t.Skip("a rare case that waits (make test-long)")
	}
	t.Parallel()
	s := startServer(t, nil)
	r := seriesOn(t, s, "3-race", byPartition, nil)
	r.control("kruise", kubetest.Control{Lag: &metav1.Duration{Duration: 500 * time.Millisecond}})
	r.createRollout(usualSteps()...)
	states := r.states()
	r.setImage("v2")
	r.staysAs("8 s", 20*time.Second) // longer than the lag
	r.check("states", differences(states(), recordedStates(r.events)[:1]))
}
