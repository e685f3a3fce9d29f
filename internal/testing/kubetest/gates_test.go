package kubetest_test

import (
	"testing"

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

// TestGates: without the gate AdvancedDeployment a release in place never gets past its first
// step; the others do. With the gate KeepWorkloadPausedOnRolloutDeletion, the Deployment of a
// release in place stays paused after its Rollout was deleted, also with a new Rollout. With
// -short only this style is tested, for which the gates make a difference.
func TestGates(t *testing.T) {
	t.Parallel()
	styles := allStyles
	if testing.Short() {
		styles = []string{byPartition}
	}
	for name, test := range map[string]struct {
		gate   string
		on     bool
		script string
	}{
		"2-noadv-": {kruise.GateAdvancedDeployment, false, "image v2; stays 40 p1/20 s"},
		"2-keep-":  {kruise.GateKeepPaused, true, "image v2; paused 1; delete; stays 10 5 s after delete; image v1; stays 20 after v1"},
	} {
		s := startServer(t, map[string]bool{test.gate: test.on})
		for _, style := range styles {
			t.Run(name+style, func(t *testing.T) {
				t.Parallel()
				r := seriesOn(t, s, name+style, style, nil, usualSteps()...)
				script := test.script
				if !test.on && style != byPartition {
					script = "image v2; is p1/20 s"
				}
				played{script: script}.on(t, r)
				if test.on {
					r.createRollout(usualSteps()...)
					r.do("stays 3 rollout again")
					return
				}
				got, recorded := r.get(rollouts, "alice", r.name).Object["status"].(object), marked(t, r.events, "ro status").(object)
				withoutVolatileFields(got)
				withoutVolatileFields(recorded)
				r.check("ro status", differences(got, recorded))
				r.do("delete")
			})
		}
	}
}
