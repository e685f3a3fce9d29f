package kubetest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
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

// TestStrategyRaces: if Kruise begins the first step before Kuscia reverts the strategy, Kubernetes
// acts on Kuscia's: there are more new pods than the step has, and stable pods are killed unless the
// strategy allows none to be unavailable. If Kuscia is faster, its surge is at least that of the step,
// so that Kruise has nothing to do, and the Deployment stays paused. An approval skips the step, and
// the next one has more pods.
func TestStrategyRaces(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil)
	const toTheEnd = "paused 1; is at p1 / 25 s; pods at p1 / 25 s; approve; paused 2; is p2; pods p2; approve; is done"
	const strategy = `party {"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":0}},"spec":{}}`
	allPods := object{"template": object{"strategy": rolling("100%", 0), "spec": object{}}}
	kusciaSlower := short.Drawn(t, 2, []played{
		{file: "7-bgapi-1", party: partyFromKusciaAPI(), script: toTheEnd},
		{file: "7-bgapi-2", party: partyFromKusciaAPI(), script: toTheEnd},
		{file: "7-bgapi-3", party: allPods, script: toTheEnd},
		{file: "2-bgy", party: partyFromKusciaAPI(), script: "paused 1; pods p1 or 30 s"},
		{file: "3-recreate-bg", party: recreate(), script: "paused 1; pods 12 s"},
	})
	kruiseSlower := short.Drawn(t, 1, []played{
		{file: "2-bgapi", party: partyFromKusciaAPI(), script: "stays 100 45 s without any action; pods 45 s without any action; " +
			strategy + "; stays 8 8 s after strategy; pods 8 s after strategy"},
		{file: "1-api-bluegreen", party: partyFromKusciaAPI(), play: (*release).skipsStep},
	})
	for i, c := range slices.Concat(kusciaSlower, kruiseSlower) {
		t.Run(c.file, func(t *testing.T) { // it stops a controller
			r := seriesOn(t, s, c.file, byBlueGreen, c.party, usualSteps()...)
			if i < len(kusciaSlower) {
				r.setImage("v2")
				r.stopKusciaUntilFirstStep()
			} else {
				r.control("kruise", kubetest.Control{Lag: &metav1.Duration{Duration: kruiseBehind}})
				defer r.control("kruise", kubetest.Control{Lag: &metav1.Duration{}})
				r.setImage("v2")
			}
			c.on(t, r)
		})
	}
}

// skipsStep approves a first step that does not end.
func (r *release) skipsStep() {
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
