package kubetest_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	inTurns = "Kuscia and Kruise set the strategy in turns, and what comes of it is chance"
	gates   = "feature gates are as in Kruise's manifests"
)

// notReplayed are the recordings that are not replayed, with the reason.
var notReplayed = map[string]string{
	"1-api-bluegreen": inTurns, "2-bgapi": inTurns, "2-bgy": inTurns, "3-recreate-bg": inTurns, "7-bgapi-1": inTurns, "7-bgapi-2": inTurns, "7-bgapi-3": inTurns,
	"2-noadv-partition": gates, "2-noadv-canary": gates, "2-noadv-bluegreen": gates, "2-keep-partition": gates, "2-keep-canary": gates, "2-keep-bluegreen": gates,
	"2-dur30":        "its pause would be over, twenty times as fast, before a busy machine has seen it",
	"2-kddel":        "as 3-before but for endpoints, which are not played",
	"3-race":         "which of the two is first is a matter of milliseconds",
	"4-ssa":          "what it shows of KusciaDeployments is in 4-ssa-canonical, and the provider's TestNotRewritten and TestAddedByOthers are about Rollouts",
	"8-manager-down": "it stops a controller that the tests here share; the provider's TestManagerDown and TestKruiseDown have one of their own",
}

// recreate is a party with the update strategy Recreate: all of its pods are
// replaced together.
func recreate() object {
	return object{"template": object{"strategy": object{"type": "Recreate"}, "spec": object{}}}
}

// byAPI is a party as the KusciaAPI creates it.
func byAPI() object {
	return object{"template": object{"strategy": rolling("25%", "25%"), "spec": object{}}}
}

// next continues to the pause of the second step.
func (r *release) next() {
	r.Helper()
	r.image("v2")
	r.paused(1)
	r.approve()
	r.paused(2)
}

// furtherOperations are the operations on releases in further recordings.
func furtherOperations() []played {
	return []played{
		{file: "2-cont-bluegreen", style: byBlueGreen, play: func(r *release) {
			r.next()
			r.image("v3")
			r.at("3 s later")
			r.image("v2")
			r.at("v2 again")
			r.approve()
			r.eventually("at the last step", func() string {
				if got := r.seen(); got["idx"] != int64(3) {
					return fmt.Sprint(got)
				}
				return ""
			})
		}},
		{file: "2-delmid-partition-api", style: byPartition, party: byAPI(), play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.delete(rollouts, "alice", r.name)
			r.at("final")
		}},
		{file: "2-rollback-partition-api", style: byPartition, party: byAPI(), play: func(r *release) {
			r.next()
			r.image("v1")
			r.at("final")
		}},
		{file: "2-dur1n", style: byPartition, steps: []any{step("25%", object{"duration": -1}), step("50%", object{})}, play: func(r *release) {
			r.image("v2")
			r.at("p2")
		}},
		{file: "2-jumpback", style: byPartition, play: jumpback},
		{file: "2-noop", style: byPartition, party: byAPI(), play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.eventually("at rest", func() string { return r.differs(snapshot(r.T, r.events, "after")) })
			before := r.get(deployments, "alice", r.name).GetResourceVersion()
			for i := range 3 {
				if code, message := r.patch(kusciaDeployments, "cross-domain", r.name, object{"metadata": object{"annotations": object{"touched": fmt.Sprint(i)}}}); code != 200 {
					r.Fatal(message)
				}
			}
			time.Sleep(time.Second) // twenty seconds in the real cluster
			problem := ""
			if now := r.get(deployments, "alice", r.name).GetResourceVersion(); now != before {
				problem = "the Deployment was written"
			}
			r.count.check("no writes", problem)
			r.at("after")
		}},
		{file: "2-stalebr", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.delete(kusciaDeployments, "cross-domain", r.name)
			r.eventually("no workload", func() string {
				if got := r.seen(); got["phase"] != "Initial" {
					return fmt.Sprint(got)
				}
				return ""
			})
			r.deployment(nil)
			r.at("recreated")
			r.image("v2")
			r.at("release after stale BR")
			r.approve()
			time.Sleep(500 * time.Millisecond)
			if notAt(r, 2) == "" {
				r.Error("a release after a stale BatchRelease comes to its second pause")
			}
		}},
		{file: "3-cfg", style: byPartition, play: func(r *release) {
			r.change("replace", "/spec/inputConfig", `{"a":2}`)
			r.paused(1)
			r.at("config release")
		}},
		{file: "3-recreate", style: byPartition, party: recreate(), play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.at("p1")
			r.approve()
			r.at("p2")
			r.approve()
			r.at("final")
		}},
		{file: "6-rib", style: byPartition, play: func(r *release) {
			r.next()
			r.image("v1")
			r.at("10 s")
		}},
		{file: "6-two", style: byPartition, play: func(r *release) {
			r.delete(kusciaDeployments, "cross-domain", r.name)
			r.eventually("no workload", func() string {
				if got := r.seen(); got["phase"] != "Initial" {
					return fmt.Sprint(got)
				}
				return ""
			})
			if code, message := r.create(kusciaDeployments, "cross-domain", kusciaDeployment(r.name, specOf(party("alice", nil), party("bob", nil)))); code != 201 {
				r.Fatal(message)
			}
			r.eventually("healthy", func() string {
				if got := r.seen(); got["phase"] != "Healthy" {
					return fmt.Sprint(got)
				}
				return imageOf(r.get(deployments, "bob", r.name), "example/kr:v1")
			})
			r.change("replace", "/spec/parties/1/appImageRef", "kr-img-v2")
			r.image("v2")
			r.paused(1)
			r.at("alice paused")
			r.eventually("bob has v2", func() string { return imageOf(r.get(deployments, "bob", r.name), "example/kr:v2") })
		}},
		{file: "6-zero", style: byPartition, play: func(r *release) {
			r.change("add", "/spec/parties/0/template", object{"replicas": 0, "spec": object{}})
			r.at("replicas 0")
			r.image("v2")
			r.at("image v2 with replicas 0")
		}},
		{file: "7-healthy-change", style: byPartition, play: func(r *release) {
			steps := []any{step("25%", object{}), step("50%", object{}), step("75%", object{}), step("100%", object{})}
			r.spec(object{"strategy": object{"canary": object{"steps": steps}}})
			r.at("after")
			r.spec(object{"strategy": object{"canary": nil, "blueGreen": object{"steps": usualSteps()}}})
			r.image("v2")
			r.eventually("paused in the other style", func() string {
				state, _, _ := unstructured.NestedString(r.get(rollouts, "alice", r.name).Object, "status", "blueGreenStatus", "currentStepState")
				if state != "StepPaused" {
					return "in the state " + state
				}
				return ""
			})
			r.denied("workloadRef change while Progressing", object{"workloadRef": object{"name": "other"}})
		}},
		{file: "7-wl-change", style: byPartition, play: func(r *release) {
			r.spec(object{"workloadRef": object{"name": "kr-other"}})
			r.eventually("without a workload", func() string {
				if got := r.seen(); got["phase"] != "Initial" || got["msg"] != "Workload Not Found" || got["state"] != nil {
					return fmt.Sprint(got)
				}
				return ""
			})
			if labels := r.get(deployments, "alice", r.name).GetLabels(); labels["rollouts.kruise.io/workload-type"] != "deployment" {
				r.Errorf("the labels of the Deployment of before are %v", labels)
			}
		}},
		{file: "12-approve-broken", style: byPartition, play: func(r *release) {
			r.image("broken")
			r.at("before")
			r.approve()
			r.at("6 s after")
		}},
		{file: "12-recreate-canary", style: byCanary, party: recreate(), play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.at("p1")
			r.approve()
			r.paused(2)
			r.approve()
			r.at("done")
		}},
	}
}

func jumpback(r *release) {
	r.next()
	write := func(next int) {
		r.Helper()
		if code, message := r.status("nextStepIndex", next); code != 200 {
			r.Fatal(message)
		}
	}
	write(1)
	r.at("snapshot")
	for _, next := range []int{0, -5, 99} {
		write(next)
		r.at(fmt.Sprint("after ", next))
	}
	code, _ := r.patch(rollouts, "alice", r.name, object{"status": object{"blueGreenStatus": object{"currentStepState": "StepReady"}}}, "status")
	problem := ""
	if code != 422 {
		problem = fmt.Sprint(code)
	}
	r.count.check("the status of the other style", problem)
}

// imageOf returns the differences of a Deployment that should run with an
// image.
func imageOf(d *unstructured.Unstructured, image string) string {
	if d == nil {
		return "there is none"
	}
	got := deploymentSeen(d)
	status, _ := got["st"].(object)
	if fmt.Sprint(got["images"]) != "["+image+"]" || fmt.Sprint(status["updatedReplicas"]) != fmt.Sprint(got["replicas"]) {
		return fmt.Sprint(got)
	}
	return ""
}

// A Rollout that is created disabled lets every change through, and becomes
// healthy when it is enabled.
func TestCreatedDisabled(t *testing.T) {
	t.Parallel()
	r := series(t, "7-disabled-create", byPartition, nil)
	r.eventuallyGone()
	rollout := r.rolloutObject(usualSteps()...)
	rollout["spec"].(object)["disabled"] = true
	if code, message := r.create(rollouts, "alice", rollout); code != 201 {
		t.Fatal(message)
	}
	r.at("created disabled")
	r.image("v2")
	r.at("v2")
	r.spec(object{"disabled": false})
	r.eventually("healthy", func() string {
		if got := r.seen(); got["phase"] != "Healthy" {
			return fmt.Sprint(got)
		}
		return ""
	})
}

// Missing workloads: whether the controller notices them, and whether the
// Rollout can be deleted.
func TestReferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	count := tally{t: t}
	events := read[[]event](t, "7-refs.json")
	for i := 1; i+1 < len(events); i += 2 {
		response, _ := events[i].Obj.([]any)
		if len(response) != 4 {
			continue
		}
		var ref object
		decode(t, events[i].Mark, &ref)
		name := fmt.Sprint("kr-refs-", i)
		code, message := w.create(rollouts, "alice", object{
			"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"name": name},
			"spec": object{"workloadRef": ref, "strategy": object{"canary": object{"steps": usualSteps()}}},
		})
		if code != 201 {
			t.Fatal(message)
		}
		var problem string
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			rollout := w.get(rollouts, "alice", name)
			problem = differences([]any{rollout.Object["status"], rollout.GetFinalizers()}, response[2:])
			if problem == "" {
				break
			}
		}
		count.check(events[i].Mark, problem)
		w.delete(rollouts, "alice", name)
		goes := events[i+1].Obj != nil
		for deadline := time.Now().Add(map[bool]time.Duration{true: 20 * time.Second, false: time.Second}[goes]); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			problem = ""
			if left := w.get(rollouts, "alice", name); (left == nil) != goes {
				problem = fmt.Sprintf("gone after the delete: %t", left == nil)
			}
			if goes == (problem == "") {
				break
			}
		}
		count.check(events[i].Mark+" gone", problem)
		if _, err := w.in(rollouts, "alice").Patch(t.Context(), name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
			t.Log(err)
		}
	}
	count.print()
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
