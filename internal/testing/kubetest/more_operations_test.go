package kubetest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// recreate is a party with the update strategy Recreate: all of its pods are
// replaced together.
func recreate() object {
	return object{"template": object{"strategy": object{"type": "Recreate"}, "spec": object{}}}
}

// byAPI is a party as the KusciaAPI creates it.
func partyFromKusciaAPI() object {
	return object{"template": object{"strategy": rolling("25%", "25%"), "spec": object{}}}
}

// next continues to the pause of the second step.
func (r *release) next() {
	r.Helper()
	r.setImage("v2")
	r.waitPaused(1)
	r.approve()
	r.waitPaused(2)
}

// furtherOperations are the operations on releases in further recordings.
func furtherOperations() []played {
	return []played{
		{file: "2-rollback-partition-api", style: byPartition, party: partyFromKusciaAPI(), play: func(r *release) {
			r.next()
			r.setImage("v1")
			r.waitFor("final")
		}},
		{file: "2-dur1n", style: byPartition, steps: []any{step("25%", object{"duration": -1}), step("50%", object{})}, play: func(r *release) {
			r.setImage("v2")
			r.waitFor("p2")
		}},
		{file: "2-jumpback", style: byPartition, play: jumpback},
		{file: "2-noop", style: byPartition, party: partyFromKusciaAPI(), play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
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
			r.waitFor("after")
			r.replacesPod()
		}},
		{file: "2-stalebr", style: byPartition, play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.delete(kusciaDeployments, "cross-domain", r.name)
			r.eventually("no workload", func() string {
				if got := r.seen(); got["phase"] != "Initial" {
					return fmt.Sprint(got)
				}
				return ""
			})
			r.createKusciaDeployment(nil)
			r.waitFor("recreated")
			r.setImage("v2")
			r.waitFor("release after stale BR")
			r.approve()
			time.Sleep(500 * time.Millisecond)
			if notAt(r, 2) == "" {
				r.Error("a release after a stale BatchRelease comes to its second pause")
			}
		}},
		{file: "2-kddel", style: byCanary, play: deletedInRelease},
		{file: "3-recreate", style: byPartition, party: recreate(), play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.waitFor("p1")
			r.approve()
			r.waitFor("p2")
			r.approve()
			r.waitFor("final")
		}},
		{file: "6-rib", style: byPartition, play: func(r *release) {
			r.next()
			r.setImage("v1")
			r.waitFor("10 s")
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
			r.setImage("v2")
			r.waitPaused(1)
			r.waitFor("alice paused")
			r.eventually("bob has v2", func() string { return imageOf(r.get(deployments, "bob", r.name), "example/kr:v2") })
		}},
		{file: "6-zero", style: byPartition, play: func(r *release) {
			r.change("add", "/spec/parties/0/template", object{"replicas": 0, "spec": object{}})
			r.waitFor("replicas 0")
			r.setImage("v2")
			r.waitFor("image v2 with replicas 0")
		}},
		{file: "7-healthy-change", style: byPartition, play: func(r *release) {
			steps := []any{step("25%", object{}), step("50%", object{}), step("75%", object{}), step("100%", object{})}
			r.patchSpec(object{"strategy": object{"canary": object{"steps": steps}}})
			r.waitFor("after")
			r.patchSpec(object{"strategy": object{"canary": nil, "blueGreen": object{"steps": usualSteps()}}})
			r.setImage("v2")
			r.eventually("paused in the other style", func() string {
				state, _, _ := unstructured.NestedString(r.get(rollouts, "alice", r.name).Object, "status", "blueGreenStatus", "currentStepState")
				if state != "StepPaused" {
					return "in the state " + state
				}
				return ""
			})
			r.checkDenied("workloadRef change while Progressing", object{"workloadRef": object{"name": "other"}})
		}},
		{file: "7-wl-change", style: byPartition, play: func(r *release) {
			r.patchSpec(object{"workloadRef": object{"name": "kr-other"}})
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
			r.setImage("broken")
			r.waitFor("before")
			r.approve()
			r.waitFor("6 s after")
		}},
		{file: "12-recreate-canary", style: byCanary, party: recreate(), play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.waitFor("p1")
			r.approve()
			r.waitPaused(2)
			r.approve()
			r.waitFor("done")
		}},
	}
}

// deletedInRelease deletes a KusciaDeployment in a release with an extra Deployment, which
// runs until the Rollout is deleted.
func deletedInRelease(r *release) {
	r.setImage("v2")
	r.waitPaused(1)
	extra := r.extra()
	if extra == nil {
		r.Fatal("no extra Deployment")
	}
	r.count.check("canary deployment object", differences(extraSeen(object{
		"labels": extra.GetLabels(), "owner": extra.Object["metadata"].(object)["ownerReferences"], "fz": extra.GetFinalizers(),
		"sel": extra.Object["spec"].(object)["selector"], "tmpl_labels": extra.Object["spec"].(object)["template"].(object)["metadata"].(object)["labels"],
	}, r.name), extraSeen(marked(r.T, r.events, "canary deployment object").(object), "kr-kddel")))
	var found []any
	for _, name := range []string{"communication", "service"} {
		s := r.get(services, "alice", r.name+"-"+name)
		found = append(found, []any{s.GetName(), s.Object["spec"].(object)["selector"], nested(s, "spec", "clusterIP")})
	}
	r.count.check("services", differences(withoutName(found, r.name), withoutName(marked(r.T, r.events, "services"), "kr-kddel")))

	r.delete(kusciaDeployments, "cross-domain", r.name)
	recorded := snapshot(r.T, r.events, "after KD delete")
	left := object{}
	for _, one := range recorded["dp"].(object) {
		left = one.(object)
	}
	r.eventually("without a workload", func() string {
		if r.get(deployments, "alice", r.name) != nil {
			return "its Deployment is there"
		}
		return differences(r.seen()["phase"], recorded["ro"].(object)["phase"])
	})
	time.Sleep(5 * time.Second / 20) // five seconds in the real cluster
	got := deploymentSeen(r.extra())
	r.count.check("after KD delete", differences(
		object{"ro": r.seen(), "paused": got["paused"], "replicas": got["replicas"], "images": got["images"], "st": got["st"], "lab": got["lab"]},
		object{"ro": withoutGeneration(recorded["ro"]), "paused": left["paused"], "replicas": left["replicas"], "images": left["images"], "st": withoutNulls(left["st"]), "lab": labelNames(left["lab"])}))
	batch := r.get(batchReleases, "alice", r.name)
	if batch == nil {
		r.Fatal("the BatchRelease is gone")
	}
	r.count.check("BatchRelease", differences(nested(batch, "status", "phase"), recorded["br"].([]any)[0].(object)["phase"]))
	r.delete(rollouts, "alice", r.name)
	r.waitGone()
	r.eventually("nothing left", func() string {
		if r.extra() != nil {
			return "the extra Deployment is there"
		}
		return ""
	})
}

// replacesPod deletes a pod of the old version: another one of this version replaces it.
func (r *release) replacesPod() {
	r.Helper()
	name := ""
	for _, pod := range r.pods() {
		if podSeen(pod) == "v1:ready" {
			name = pod.GetName()
		}
	}
	r.delete(pods, "alice", name)
	const mark = "after pod delete"
	recorded := snapshot(r.T, r.events, mark)
	r.count.check(mark, until(func() string {
		var seen []any
		for _, pod := range r.pods() {
			if pod.GetName() == name {
				return "the deleted pod is there"
			}
			seen = append(seen, podSeen(pod))
		}
		slices.SortFunc(seen, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		if problem := differences(seen, recorded["pods"]); problem != "" {
			return problem
		}
		return r.differs(recorded)
	}))
}

// pods returns the pods of the Deployment.
func (r *release) pods() []*unstructured.Unstructured {
	r.Helper()
	all, err := r.in(pods, "alice").List(r.Context(), metav1.ListOptions{LabelSelector: "kuscia.secretflow/kd-name=" + r.name})
	if err != nil {
		r.Fatal(err)
	}
	var found []*unstructured.Unstructured
	for i := range all.Items {
		found = append(found, &all.Items[i])
	}
	return found
}

// podSeen returns a pod in the form of the recordings.
func podSeen(pod *unstructured.Unstructured) string {
	containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
	image, _ := containers[0].(object)["image"].(string)
	_, tag, _ := strings.Cut(image, ":")
	if nested(pod, "status", "phase") != "Running" {
		return tag + ":not"
	}
	return tag + ":ready"
}

// extra returns the extra Deployment of a canary release.
func (r *release) extra() *unstructured.Unstructured {
	r.Helper()
	all, err := r.in(deployments, "alice").List(r.Context(), metav1.ListOptions{LabelSelector: "rollouts.kruise.io/canary-deployment=" + r.name})
	if err != nil {
		r.Fatal(err)
	}
	if len(all.Items) == 0 {
		return nil
	}
	return &all.Items[0]
}

// extraSeen removes UIDs, and the name of the release.
func extraSeen(seen object, name string) any {
	seen, _ = normal(seen).(object)
	for _, one := range seen["owner"].([]any) {
		delete(one.(object), "uid")
	}
	for _, labels := range []any{seen["tmpl_labels"], seen["sel"].(object)["matchLabels"]} {
		delete(labels.(object), "kuscia.secretflow/kd-uid")
	}
	return withoutName(seen, name)
}

// withoutName replaces the name of a release in a value.
func withoutName(value any, name string) any {
	text, _ := json.Marshal(value)
	var made any
	_ = json.Unmarshal([]byte(strings.ReplaceAll(string(text), name, "NAME")), &made)
	return made
}

// withoutGeneration removes what seen does not have from a recorded Rollout.
func withoutGeneration(recorded any) object {
	made := maps.Clone(recorded.(object))
	for _, name := range []string{"gen", "stable", "canary"} {
		delete(made, name)
	}
	return made
}

func jumpback(r *release) {
	r.next()
	write := func(next int) {
		r.Helper()
		if code, message := r.patchStatus("nextStepIndex", next); code != 200 {
			r.Fatal(message)
		}
	}
	write(1)
	r.waitFor("snapshot")
	for _, next := range []int{0, -5, 99} {
		write(next)
		r.waitFor(fmt.Sprint("after ", next))
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
	r.waitFor("created disabled")
	r.setImage("v2")
	r.waitFor("v2")
	r.patchSpec(object{"disabled": false})
	r.eventually("healthy", func() string {
		if got := r.seen(); got["phase"] != "Healthy" {
			return fmt.Sprint(got)
		}
		return ""
	})
}

// A Rollout that is created before its workload waits for it, and is healthy as soon as it
// exists.
func TestRolloutFirst(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	w.appImages()
	r := &release{client: w, name: "kr-rollout-first", style: byPartition, events: read[[]event](t, "3-before.json"), count: &tally{t: t}}
	t.Cleanup(func() {
		r.remove()
		r.count.print()
	})
	r.createRollout(usualSteps()...)
	r.waitFor("no workload")
	r.createKusciaDeployment(nil)
	r.waitFor("healthy")
}

// Missing workloads: whether the controller notices them, and whether the
// Rollout can be deleted.
func TestReferences(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	// Another namespace than that of TestInvalidRollouts, which has Rollouts of the same workloads.
	const namespace = "bob"
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
		code, message := w.create(rollouts, namespace, object{
			"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"name": name},
			"spec": object{"workloadRef": ref, "strategy": object{"canary": object{"steps": usualSteps()}}},
		})
		if code != 201 {
			t.Fatal(message)
		}
		var problem string
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(pollEvery) {
			rollout := w.get(rollouts, namespace, name)
			problem = differences([]any{rollout.Object["status"], rollout.GetFinalizers()}, response[2:])
			if problem == "" {
				break
			}
		}
		count.check(events[i].Mark, problem)
		w.delete(rollouts, namespace, name)
		goes := events[i+1].Obj != nil
		for deadline := time.Now().Add(map[bool]time.Duration{true: 20 * time.Second, false: time.Second}[goes]); time.Now().Before(deadline); time.Sleep(pollEvery) {
			problem = ""
			if left := w.get(rollouts, namespace, name); (left == nil) != goes {
				problem = fmt.Sprintf("gone after the delete: %t", left == nil)
			}
			if goes == (problem == "") {
				break
			}
		}
		count.check(events[i].Mark+" gone", problem)
		if _, err := w.in(rollouts, namespace).Patch(t.Context(), name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
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
