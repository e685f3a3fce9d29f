package kubetest_test

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
)

// In a blue-green release of a Deployment whose strategy Kuscia sets, it and Kruise set
// the strategy in turns. Which of them is faster right after Kruise has prepared the
// Deployment decides what the release does. Here the test decides it.

// kruiseBehind is the lag of a slow Kruise, longer than Kuscia takes.
const kruiseBehind = 800 * time.Millisecond

// podsAt checks the numbers of all and of new pods of a mark.
func (r *release) podsAt(mark string) {
	r.Helper()
	all := snapshot(r.T, r.events, mark)["dp"].(object)
	want := all[recordedAs(r.events, all)].(object)["st"].(object)
	r.eventually(mark+": pods", func() string {
		got := deploymentSeen(r.get(deployments, "alice", r.name))["st"].(object)
		return differences([]any{got["replicas"], got["updatedReplicas"]}, []any{want["replicas"], want["updatedReplicas"]})
	})
}

// TestKusciaSlower: Kruise begins the first step before Kuscia reverts the strategy. Then
// Kubernetes acts on Kuscia's: there are more new pods than the step has, and stable pods
// are killed unless the strategy allows none to be unavailable.
func TestKusciaSlower(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil)
	allPods := object{"template": object{"strategy": rolling("100%", 0), "spec": object{}}}
	toTheEnd := func(r *release) {
		for i, mark := range []string{"at p1 / 25 s", "p2"} {
			r.waitPaused(i + 1)
			r.waitFor(mark)
			r.podsAt(mark)
			r.approve()
		}
		r.waitFor("done")
	}
	paused := func(mark string) func(r *release) {
		return func(r *release) {
			r.waitPaused(1)
			r.podsAt(mark)
		}
	}
	for _, c := range drawn(t, 2, []struct {
		file  string
		party object
		play  func(r *release)
	}{
		{"7-bgapi-1", partyFromKusciaAPI(), toTheEnd}, {"7-bgapi-2", partyFromKusciaAPI(), toTheEnd}, {"7-bgapi-3", allPods, toTheEnd},
		{"2-bgy", partyFromKusciaAPI(), paused("p1 or 30 s")}, {"3-recreate-bg", recreate(), paused("12 s")},
	}) {
		t.Run(c.file, func(t *testing.T) { //nolint:paralleltest // it stops a controller
			r := seriesOn(t, s, c.file, byBlueGreen, c.party, usualSteps()...)
			r.setImage("v2")
			r.stopKusciaUntilFirstStep()
			c.play(r)
		})
	}
}

func (r *release) control(name string, settings kubetest.Control) {
	r.Helper()
	if err := r.server.Control(name, settings); err != nil {
		r.Fatal(err)
	}
}

// stopKusciaUntilFirstStep stops Kuscia from when the Deployment has a new version until Kruise has
// begun the first step.
func (r *release) stopKusciaUntilFirstStep() {
	r.Helper()
	held := func(want bool) {
		r.Helper()
		r.eventually(fmt.Sprint("paused: ", want), func() string {
			if got := deploymentSeen(r.get(deployments, "alice", r.name)); got["paused"] != want || fmt.Sprint(got["images"]) != "[example/kr:v2]" {
				return fmt.Sprint(got)
			}
			return ""
		})
	}
	held(true)
	r.control("kuscia", kubetest.Control{Stopped: new(true)})
	held(false)
	r.control("kuscia", kubetest.Control{Stopped: new(false)})
}

// TestKruiseSlower: Kuscia reverts the strategy before Kruise begins the first step. Its
// surge is at least that of the step, so that Kruise has nothing to do, and the
// Deployment stays paused. An approval skips the step, and the next one has more pods.
func TestKruiseSlower(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil)
	if err := s.Control("kruise", kubetest.Control{Lag: &metav1.Duration{Duration: kruiseBehind}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range drawn(t, 1, []played{
		{file: "2-bgapi", play: func(r *release) {
			r.do("stays 100 45 s without any action")
			r.podsAt("45 s without any action")
			r.change("add", "/spec/parties/0/template/strategy", rolling("25%", 0))
			r.do("stays 8 8 s after strategy")
			r.podsAt("8 s after strategy")
		}},
		{file: "1-api-bluegreen", play: func(r *release) {
			step := func() string {
				got := r.seen()
				return differences([]any{got["idx"], got["state"]}, []any{1, "StepUpgrade"})
			}
			r.eventually("in the first step", step)
			time.Sleep(5 * time.Second)
			if problem := step(); problem != "" {
				r.Errorf("the first step ends: %s", problem)
			}
			played{script: "approve; paused 2; approve; healthy"}.on(r.T, r)
			r.check("final rollout", r.finalRollout())
		}},
	}) {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			r := seriesOn(t, s, c.file, byBlueGreen, partyFromKusciaAPI(), usualSteps()...)
			r.setImage("v2")
			c.play(r)
		})
	}
}
