package kubetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise"
)

// startServer starts a server for the tests that change more than a shared one allows.
func startServer(t *testing.T, gates map[string]bool) *kubetest.Server {
	t.Helper()
	started, err := kubetest.Start(t.Context(), kubetest.Options{TimeFactor: timeFactor, Domains: []string{"alice", "bob"}, FeatureGates: gates})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := started.Close(); err != nil {
			t.Error(err)
		}
	})
	return started
}

var allStyles = []string{byPartition, byCanary, byBlueGreen}

// TestUnknownGate: a gate that is not simulated is an error.
func TestUnknownGate(t *testing.T) {
	t.Parallel()
	_, err := kubetest.Start(t.Context(), kubetest.Options{TimeFactor: timeFactor, FeatureGates: map[string]bool{"RolloutHistory": true}})
	if err == nil || !strings.Contains(err.Error(), `unknown feature gate "RolloutHistory"`) {
		t.Error(err)
	}
}

// gatedStyles are the styles that are tested with other gates; with -short the one for which
// they make a difference.
func gatedStyles() []string {
	if testing.Short() {
		return []string{byPartition}
	}
	return allStyles
}

// Without the gate AdvancedDeployment a release in place never gets past its first
// step; the others do.
func TestWithoutAdvancedDeployment(t *testing.T) {
	t.Parallel()
	s := startServer(t, map[string]bool{kruise.GateAdvancedDeployment: false})
	for _, style := range gatedStyles() {
		t.Run(style, func(t *testing.T) {
			t.Parallel()
			r := seriesOn(t, s, "2-noadv-"+style, style, nil, usualSteps()...)
			r.setImage("v2")
			if style == byPartition {
				r.staysAs("p1/20 s", 40*time.Second)
			} else {
				r.waitFor("p1/20 s")
			}
			got, recorded := r.get(rollouts, "alice", r.name).Object["status"].(object), marked(t, r.events, "ro status").(object)
			withoutVolatileFields(got)
			withoutVolatileFields(recorded)
			r.count.check("ro status", differences(got, recorded))
			r.delete(rollouts, "alice", r.name)
			r.waitGone()
		})
	}
}

// waitGone waits until the Rollout does not exist.
func (r *release) waitGone() {
	r.Helper()
	r.eventually("the Rollout is deleted", func() string {
		if r.get(rollouts, "alice", r.name) != nil {
			return "still there"
		}
		return ""
	})
}

// With the gate KeepWorkloadPausedOnRolloutDeletion, the Deployment of a release in
// place stays paused after its Rollout was deleted, also with a new Rollout. The other
// styles promote the new version as without the gate.
func TestKeepPaused(t *testing.T) {
	t.Parallel()
	s := startServer(t, map[string]bool{kruise.GateKeepPaused: true})
	for _, style := range gatedStyles() {
		t.Run(style, func(t *testing.T) {
			t.Parallel()
			r := seriesOn(t, s, "2-keep-"+style, style, nil, usualSteps()...)
			r.setImage("v2")
			r.waitPaused(1)
			r.delete(rollouts, "alice", r.name)
			r.waitGone()
			r.staysAs("5 s after delete", 10*time.Second)
			r.setImage("v1")
			r.staysAs("after v1", 20*time.Second)
			r.createRollout(usualSteps()...)
			r.staysAs("rollout again", 3*time.Second)
		})
	}
}
