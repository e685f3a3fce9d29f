package kubetest_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// played is a recorded series of operations on a release that is healthy at first.
type played struct {
	file, style string
	// script has the operations of release.do, separated by semicolons.
	script string
	party  object
	steps  []any
	// play has the operations that only this series has, after those of the script.
	play func(r *release)
}

func (p played) on(t *testing.T, r *release) {
	t.Helper()
	for operation := range strings.SplitSeq(p.script, "; ") {
		r.do(operation)
	}
	if p.play != nil {
		p.play(r)
	}
}

func (p played) allSteps() []any {
	if p.steps == nil {
		return usualSteps()
	}
	return p.steps
}

// do performs one operation of a script, or compares the state with that of a mark.
func (r *release) do(operation string) {
	r.Helper()
	verb, argument, _ := strings.Cut(operation, " ")
	first, rest, _ := strings.Cut(argument, " ")
	number, _ := strconv.Atoi(first)
	switch verb {
	case "image":
		r.setImage(argument)
	case "paused": // at a step
		r.waitPaused(number)
	case "approve":
		r.approve()
	case "next": // step after the present one
		r.ok(r.patchStatus("nextStepIndex", number))
	case "is": // in the state of a mark
		r.waitFor(argument)
	case "pods": // in the numbers of a mark
		r.podsAt(argument)
	case "stays": // in the state of a mark after so many seconds
		r.staysAs(rest, time.Duration(number)*time.Second)
	case "healthy":
		r.eventually("healthy", func() string {
			if got := r.seen(); got["phase"] != "Healthy" || got["state"] != "Completed" {
				return fmt.Sprint(got)
			}
			return ""
		})
	case "missing": // workload
		r.eventually("no workload", func() string { return differences(r.seen()["phase"], "Initial") })
	case "spec": // of the Rollout
		r.patchSpec(decoded(r.T, argument))
	case "party": // gets a template
		r.change("add", "/spec/parties/0/template", decoded(r.T, argument))
	case "config":
		r.change("replace", "/spec/inputConfig", argument)
	case "delete":
		r.delete(rollouts, "alice", r.name)
		r.waitGone()
	case "drop": // the KusciaDeployment
		r.delete(kusciaDeployments, "cross-domain", r.name)
	case "again":
		r.createKusciaDeployment(nil)
	case "":
	default:
		r.Fatalf("no operation %q", operation)
	}
}

func decoded(t *testing.T, text string) (value object) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// recreate is a party with the update strategy Recreate: all of its pods are
// replaced together.
func recreate() object {
	return object{"template": object{"strategy": object{"type": "Recreate"}, "spec": object{}}}
}

// partyFromKusciaAPI is a party as the KusciaAPI creates it.
func partyFromKusciaAPI() object {
	return object{"template": object{"strategy": rolling("25%", "25%"), "spec": object{}}}
}

// operations are the operations on releases in the recordings.
func operations() []played {
	const toSecond = "image v2; paused 1; approve; paused 2; "
	const disable = `image v2; paused 1; spec {"disabled":true}; is disabled; image v3; is v3 while disabled; spec {"disabled":false}; is enabled again`
	var all []played
	for _, style := range allStyles {
		all = append(all,
			played{file: "2-rollback-" + style, style: style, script: toSecond + "image v1; is final"},
			played{file: "2-disable-" + style, style: style, script: disable},
			played{file: "2-delmid-" + style, style: style, script: "image v2; paused 1; delete; is final"})
	}
	for _, style := range []string{byPartition, byCanary} {
		all = append(all,
			played{file: "2-cont-" + style, style: style, script: toSecond + "image v3; paused 1; is 3 s later"},
			played{file: "3-broken-" + style, style: style, script: "image broken; is 20 s; image v1; is after rollback"})
	}
	return append(all, []played{
		{file: "2-rollback-partition-api", style: byPartition, party: partyFromKusciaAPI(), script: toSecond + "image v1; is final"},
		{file: "2-delmid-partition-api", style: byPartition, party: partyFromKusciaAPI(), script: "image v2; paused 1; delete; is final"},
		{file: "2-cont-bluegreen", style: byBlueGreen, script: toSecond + "image v3; is 3 s later; stays 6 9 s later; image v2; is v2 again"},
		{file: "2-jump", style: byPartition, script: "image v2; paused 1; next 3; healthy"},
		{file: "2-last", style: byPartition, steps: []any{step(1, object{}), step(2, object{})}, script: toSecond + "is last step paused"},
		{file: "2-pause", style: byPartition, script: `image v2; paused 1; spec {"strategy":{"paused":true}}; is paused; approve; is after approve while paused`},
		{file: "3-cfg", style: byPartition, script: `config {"a":2}; paused 1; is config release`},
		{file: "2-dur0", style: byPartition, steps: []any{step(1, object{"duration": 0}), step(2, object{})}, script: "image v2; is p2"},
		{file: "2-dur1n", style: byPartition, steps: []any{step("25%", object{"duration": -1}), step("50%", object{})}, script: "image v2; is p2"},
		{file: "2-dur30", style: byPartition, steps: []any{step("25%", object{"duration": 30}), step("50%", object{})}, script: "image v2; is p2"},
		{file: "3-recreate", style: byPartition, party: recreate(), script: "image v2; paused 1; is p1; approve; is p2; approve; is final"},
		{file: "12-recreate-canary", style: byCanary, party: recreate(), script: "image v2; paused 1; is p1; approve; paused 2; approve; is done"},
		{file: "12-approve-broken", style: byPartition, script: "image broken; is before; approve; is 6 s after"},
		{file: "6-rib", style: byPartition, script: toSecond + "image v1; is 10 s"},
		{file: "6-zero", style: byPartition, script: `party {"replicas":0,"spec":{}}; is replicas 0; image v2; is image v2 with replicas 0`},
		{file: "6-one", style: byPartition, party: object{"template": object{"replicas": 1, "spec": object{}}}, script: "image v2; paused 1; is 1 replica, step 25%"},
		{file: "2-jumpback", style: byPartition, script: toSecond + "next 1; is snapshot; next 0; is after 0; next -5; is after -5; next 99; is after 99"},
		{file: "2-stalebr", style: byPartition, script: "image v2; paused 1; drop; missing; again; is recreated; image v2; is release after stale BR; approve", play: func(r *release) {
			time.Sleep(500 * time.Millisecond)
			if got := r.seen(); got["state"] == "StepPaused" {
				r.Error("a release after a stale BatchRelease comes to its second pause")
			}
		}},
		{file: "2-scale", style: byPartition, script: `image v2; paused 1; party {"replicas":8,"spec":{}}; is 8 replicas`, play: func(r *release) {
			r.change("add", "/spec/parties/0/template/strategy", rolling("50%", 0))
			r.do("is strategy")
			r.do(`config {"a":2}`)
			r.do("is config change")
		}},
		{file: "2-noop", style: byPartition, party: partyFromKusciaAPI(), script: "image v2; paused 1; is after", play: noWrites},
		{file: "2-kddel", style: byCanary, script: "image v2; paused 1", play: deletedInRelease},
		{file: "2-jp", style: byPartition, script: "image v2; paused 1", play: patchesWithTests},
		{file: "2-top", style: byPartition, script: "image v2; paused 1", play: func(r *release) {
			r.patch(rollouts, "alice", r.name, object{"status": object{"currentStepState": "StepReady"}}, "status")
			r.do("is after top-level")
			r.eventually("a state that the controller does not overwrite", func() string {
				r.ok(r.patchStatus("currentStepState", "Foo"))
				time.Sleep(300 * time.Millisecond)
				return differences(r.seen()["state"], "Foo")
			})
			r.do("is 12 s Foo")
			r.do("approve")
			r.do("paused 2")
		}},
		{file: "2-specmid", style: byPartition, script: "image v2; paused 1", play: refusedInRelease},
		{file: "3-before", style: byPartition, play: func(r *release) {
			other := r.rolloutObject(usualSteps()...)
			other["metadata"] = object{"name": "kr-before2"}
			_, message := r.create(rollouts, "alice", other)
			r.check("second rollout same workload", same(message, fmt.Sprintf(
				"admission webhook \"vrollout.kb.io\" denied the request: Conflict Checker: Invalid value: \"kr-before2\": This rollout conflict with Rollout(alice/%s), one workload only have less than one Rollout", r.name)))
			played{script: "image v2; paused 1; drop; is KD gone; again; is KD again"}.on(r.T, r)
		}},
		{file: "6-two", style: byPartition, script: "drop; missing", play: twoParties},
		{file: "7-healthy-change", style: byPartition, play: func(r *release) {
			r.patchSpec(object{"strategy": strategyOf(byPartition, step("25%", object{}), step("50%", object{}), step("75%", object{}), step("100%", object{}))})
			r.do("is after")
			r.patchSpec(object{"strategy": object{"canary": nil, "blueGreen": object{"steps": usualSteps()}}})
			r.style = byBlueGreen
			r.do("image v2")
			r.eventually("paused in the other style", func() string {
				return differences(nested(r.get(rollouts, "alice", r.name), "status", "blueGreenStatus", "currentStepState"), "StepPaused")
			})
			r.checkDenied("workloadRef change while Progressing", object{"workloadRef": object{"name": "other"}})
		}},
		{file: "7-wl-change", style: byPartition, script: `spec {"workloadRef":{"name":"kr-other"}}; missing`, play: func(r *release) {
			if labels := r.get(deployments, "alice", r.name).GetLabels(); labels["rollouts.kruise.io/workload-type"] != "deployment" {
				r.Errorf("the labels of the Deployment of before are %v", labels)
			}
		}},
	}...)
}

func TestOperations(t *testing.T) {
	t.Parallel()
	for _, c := range short.Drawn(t, 12, operations()) {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			c.on(t, series(t, c.file, c.style, c.party, c.allSteps()...))
		})
	}
}

// noWrites touches the KusciaDeployment of a paused release, and deletes a pod, which another one
// replaces.
func noWrites(r *release) {
	before := r.get(deployments, "alice", r.name).GetResourceVersion()
	for i := range 3 {
		r.ok(r.patch(kusciaDeployments, "cross-domain", r.name, object{"metadata": object{"annotations": object{"touched": fmt.Sprint(i)}}}))
	}
	time.Sleep(time.Second) // twenty seconds in the real cluster
	r.check("no writes", differences(r.get(deployments, "alice", r.name).GetResourceVersion(), before))
	ours := metav1.ListOptions{LabelSelector: "kuscia.secretflow/kd-name=" + r.name}
	all, err := r.in(pods, "alice").List(r.Context(), ours)
	if err != nil || len(all.Items) == 0 {
		r.Fatal(all, err)
	}
	r.delete(pods, "alice", all.Items[0].GetName())
	r.eventually("another pod", func() string {
		now, err := r.in(pods, "alice").List(r.Context(), ours)
		if err != nil || r.get(pods, "alice", all.Items[0].GetName()) != nil || len(now.Items) != len(all.Items) {
			return fmt.Sprintf("%d pods, %v", len(now.Items), err)
		}
		return ""
	})
	r.do("is after pod delete")
}

// deletedInRelease deletes a KusciaDeployment in a release with an extra Deployment, which
// runs until the Rollout is deleted.
func deletedInRelease(r *release) {
	extra := func() []unstructured.Unstructured {
		all, err := r.in(deployments, "alice").List(r.Context(), metav1.ListOptions{LabelSelector: "rollouts.kruise.io/canary-deployment=" + r.name})
		if err != nil {
			r.Fatal(err)
		}
		return all.Items
	}
	r.do("drop")
	r.do("missing")
	recorded := snapshot(r.T, r.events, "after KD delete")
	time.Sleep(5 * time.Second / 20) // five seconds in the real cluster
	left := extra()
	if len(left) != 1 || r.get(deployments, "alice", r.name) != nil {
		r.Fatalf("%d extra Deployments", len(left))
	}
	for _, one := range recorded["dp"].(object) {
		r.check("after KD delete", differences(deploymentSeen(&left[0]), deploymentRecorded(one)))
	}
	batch := r.get(batchReleases, "alice", r.name)
	if batch == nil {
		r.Fatal("the BatchRelease is gone")
	}
	r.check("BatchRelease", differences(nested(batch, "status", "phase"), recorded["br"].([]any)[0].(object)["phase"]))
	r.do("delete")
	r.eventually("nothing left", func() string { return differences(len(extra()), 0) })
}

// patchesWithTests approves a step by JSON patches that test the state.
func patchesWithTests(r *release) {
	tested := func(mark string, index int) {
		code, message := r.patch(rollouts, "alice", r.name, []any{
			object{"op": "test", "path": "/status/phase", "value": "Progressing"},
			object{"op": "test", "path": "/status/canaryStatus/currentStepIndex", "value": index},
			object{"op": "test", "path": "/status/canaryStatus/currentStepState", "value": "StepPaused"},
			object{"op": "replace", "path": "/status/canaryStatus/currentStepState", "value": "StepReady"},
		}, "status")
		r.check(mark, differences([]any{code, message}, marked(r.T, r.events, mark)))
	}
	tested("JSON patch approve with test idx=2 while at 1", 2)
	tested("JSON patch approve with test idx=1", 1)
	tested("again at once (state is StepReady/BeforeStepUpgrade)", 1)
	r.waitPaused(2)
	// Neither an approval without the subresource nor the next step as the next one
	// has an effect.
	r.ok(r.patch(rollouts, "alice", r.name, object{"status": object{"canaryStatus": object{"currentStepState": "StepReady"}}}))
	r.do("next 3")
	r.do("stays 45 done")
	r.do("image v1")
	r.do("is second release")
}

// refusedInRelease changes the spec of a Rollout in a release.
func refusedInRelease(r *release) {
	steps := usualSteps()
	canary := func(fields object) object { return object{"strategy": object{"canary": fields}} }
	r.checkDenied("add a step", canary(object{"steps": append(usualSteps(), step("100%", object{}))}))
	r.checkDenied("remove a step", canary(object{"steps": steps[:2]}))
	r.checkDenied("style -> extra workload", canary(object{"enableExtraWorkloadForCanary": true}))
	r.checkDenied("style -> blueGreen", object{"strategy": object{"canary": nil, "blueGreen": object{"steps": steps}}})
	r.checkDenied("workloadRef name", object{"workloadRef": object{"name": "other"}})
	r.checkDenied("add trafficRoutings", canary(object{"trafficRoutings": []any{object{"service": "s", "ingress": object{"name": "i"}}}}))
	r.checkDenied("failureThreshold (allowed?)", canary(object{"failureThreshold": "50%"}))
	r.do("is after failureThreshold")
	steps = []any{step("50%", object{}), step("75%", object{}), step("100%", object{"duration": 2})}
	r.patchSpec(canary(object{"steps": steps}))
	r.do("is after steps change")
	steps[0] = step("50%", object{"duration": 1})
	r.patchSpec(canary(object{"steps": steps}))
	r.do("is after pause change")
}

// twoParties releases one of two parties, the other one has no Rollout.
func twoParties(r *release) {
	r.ok(r.create(kusciaDeployments, "cross-domain", kusciaDeployment(r.name, specOf(party("alice", nil), party("bob", nil)))))
	bobHas := func(image string) func() string {
		return func() string {
			d := r.get(deployments, "bob", r.name)
			if d == nil {
				return "there is none"
			}
			got := deploymentSeen(d)
			return differences([]any{got["images"], got["st"].(object)["updatedReplicas"]}, []any{[]any{image}, got["replicas"]})
		}
	}
	r.eventually("bob has v1", bobHas("example/kr:v1"))
	r.eventually("healthy", func() string { return differences(r.seen()["phase"], "Healthy") })
	r.change("replace", "/spec/parties/1/appImageRef", "kr-img-v2")
	r.do("image v2")
	r.do("paused 1")
	r.do("is alice paused")
	r.eventually("bob has v2", bobHas("example/kr:v2"))
}

// checkDenied checks that a patch of the Rollout is rejected with the recorded
// message.
func (r *release) checkDenied(mark string, spec object) {
	r.Helper()
	code, message := r.patch(rollouts, "alice", r.name, object{"spec": spec})
	response := marked(r.T, r.events, mark).([]any)
	text, _ := response[1].(string)
	problem := same(message, text)
	if float64(code) != response[0].(float64) {
		problem = fmt.Sprintf("%d, want %v: %s", code, response[0], message)
	}
	r.check(mark, problem)
}

// Rollouts that are created before their workload, or disabled, which lets every change through,
// are healthy as soon as their workload exists, or they are enabled.
func TestRolloutsWithoutWork(t *testing.T) {
	t.Parallel()
	r := series(t, "7-disabled-create", byPartition, nil)
	rollout := r.rolloutObject(usualSteps()...)
	rollout["spec"].(object)["disabled"] = true
	r.ok(r.create(rollouts, "alice", rollout))
	played{script: `is created disabled; image v2; is v2; spec {"disabled":false}; healthy`}.on(t, r)
	first := *r
	first.name, first.events = "kr-rollout-first", read[[]event](t, "3-before.json")
	t.Cleanup(first.remove)
	first.createRollout(usualSteps()...)
	played{script: "is no workload; again; is healthy"}.on(t, &first)
}

// Missing workloads: whether the controller notices them, and whether the
// Rollout can be deleted.
func TestReferences(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	// Another namespace than that of TestInvalidRollouts, which has Rollouts of the same workloads.
	const namespace = "bob"
	events := read[[]event](t, "7-refs.json")
	for i := 1; i+1 < len(events); i += 2 {
		response, _ := events[i].Obj.([]any)
		if len(response) != 4 {
			continue
		}
		name := fmt.Sprint("kr-refs-", i)
		w.ok(w.create(rollouts, namespace, object{
			"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"name": name},
			"spec": object{"workloadRef": decoded(t, events[i].Mark), "strategy": object{"canary": object{"steps": usualSteps()}}},
		}))
		w.eventually(events[i].Mark, func() string {
			rollout := w.get(rollouts, namespace, name)
			return differences([]any{rollout.Object["status"], rollout.GetFinalizers()}, response[2:])
		})
		w.delete(rollouts, namespace, name)
		gone := func() string { return differences(w.get(rollouts, namespace, name) == nil, events[i+1].Obj != nil) }
		if events[i+1].Obj == nil {
			time.Sleep(time.Second)
		}
		w.eventually(events[i].Mark+" gone", gone)
		w.patch(rollouts, namespace, name, object{"metadata": object{"finalizers": nil}})
	}
}
