package rollout_test

import (
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// routings is kuscia_traffic_routing, on the cluster of a bench.
func (b *bench) routings(t *testing.T) *crudtest.Server {
	t.Helper()
	return crudtest.NewServer(t, rollout.TrafficRouting, b.c)
}

// routing is a configuration of traffic routing, changed.
func (b *bench) routing(with tree) definition.Value {
	out := tree{
		"namespace": domain, "name": b.name, "object_ref": []any{tree{"service": "s", "ingress": tree{"class_type": "nginx", "name": "i"}}},
		"strategy": tree{
			"weight": int64(5), "matches": []any{tree{"headers": []any{tree{"name": "h", "value": "v"}}}},
			"request_header_modifier": tree{"set": []any{tree{"name": "a", "value": "b"}}, "remove": []string{"r"}},
		},
	}
	maps.Copy(out, with)
	return rollout.TrafficRouting.Definition.Encode(out)
}

// TestChangedSinceThePlan: what somebody else changes between the plan and the
// write is not overwritten, forced or not, also where it was only taken away.
func TestChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	type change struct {
		server *crudtest.Server
		config func(more tree) definition.Value
		next   tree
		kind   string
		patch  string
	}
	for name, test := range acctest.Sample(t, 3, map[string]change{
		"a step":         {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"replace","path":"/spec/strategy/canary/steps/0/replicas","value":2}]`},
		"a flag":         {b.Server, b.config, tree{"failure_threshold": nil, "canary": tree{"failure_threshold": "10%", "steps": []any{tree{"replicas": "1"}, tree{"replicas": "100%"}}}}, "rollouts", `[{"op":"add","path":"/spec/strategy/paused","value":true}]`},
		"taken away":     {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"remove","path":"/spec/strategy/canary/steps/1"}]`},
		"a reference":    {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"add","path":"/metadata/annotations/rollouts.kruise.io~1trafficrouting","value":"other"}]`},
		"a weight":       {b.routings(t), b.routing, tree{"object_ref": []any{tree{"service": "t", "ingress": tree{"name": "i"}}}}, "trafficroutings", `[{"op":"replace","path":"/spec/strategy/weight","value":6}]`},
		"no header gone": {b.routings(t), b.routing, tree{"object_ref": []any{tree{"service": "t", "ingress": tree{"name": "i"}}}}, "trafficroutings", `[{"op":"remove","path":"/spec/strategy/matches/0/headers"}]`},
	}) {
		kind := acctest.KubeRollouts
		if test.kind == "trafficroutings" {
			kind = acctest.KubeTrafficRoutings
		}
		state, _ := test.server.ApplyAndVerify(t, test.config(nil), test.server.None())
		if kind == acctest.KubeRollouts {
			b.quiet(t)
		}
		for _, force := range []bool{false, true} {
			next := maps.Clone(test.next)
			next["force_conflicts"] = force
			plan, _ := test.server.Plan(t, test.config(next), state)
			there := b.k.Patch(kind, domain, b.name, types.JSONPatchType, test.patch)
			answer := test.server.Change(t, test.config(next), state, plan)
			if said := crudtest.Messages(answer.Diagnostics); !strings.Contains(said, "omebody else has changed it since the plan was made") {
				t.Errorf("%s, forced %t: the apply says %s", name, force, said)
			}
			if now := b.k.Get(kind, domain, b.name); now.GetGeneration() != there.GetGeneration() {
				t.Errorf("%s, forced %t: overwritten: %v", name, force, now.Object["spec"])
			}
			_, read := test.server.Read(t, state)
			state, _ = test.server.ApplyAndVerify(t, test.config(tree{"force_conflicts": true}), read)
		}
		test.server.Delete(t, state)
	}
}

// TestDoneMeanwhile: what is as planned when the write is due, as after an
// interrupted apply whose write came late, is done.
func TestDoneMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.quiet(t)
	plan, _ := b.Plan(t, b.config(tree{"paused": true}), state)
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, `{"spec":{"strategy":{"paused":true}}}`)
	if answer := b.Change(t, b.config(tree{"paused": true}), state, plan); len(answer.Diagnostics) > 0 {
		t.Errorf("the apply says %s", crudtest.Messages(answer.Diagnostics))
	}
}

// TestAddedByOthers: what somebody else adds, and the configuration leaves out, is
// a difference, theirs until it is taken over, and gone then.
func TestAddedByOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	two := `[{"replicas":1,"pause":{}},{"replicas":"100%","pause":{}}]`
	weightOnly := func(more tree) definition.Value {
		return b.routing(merged(tree{"strategy": tree{"weight": int64(5)}}, more))
	}
	type addition struct {
		server *crudtest.Server
		config func(more tree) definition.Value
		patch  string
	}
	for name, test := range acctest.Sample(t, 4, map[string]addition{
		"a threshold":        {b.Server, b.config, `{"spec":{"strategy":{"canary":{"failureThreshold":"50%"}}}}`},
		"a flag":             {b.Server, b.config, `{"spec":{"strategy":{"canary":{"disableGenerateCanaryService":true}}}}`},
		"paused":             {b.Server, b.config, `{"spec":{"strategy":{"paused":true}}}`},
		"metadata":           {b.Server, b.config, `{"spec":{"strategy":{"canary":{"patchPodTemplateMetadata":{"labels":{"a":"b"}}}}}}`},
		"a routing":          {b.Server, b.config, `{"spec":{"strategy":{"canary":{"trafficRoutings":[{"service":"s","ingress":{"name":"i"}}]}}}}`},
		"a reference":        {b.Server, b.config, `{"metadata":{"annotations":{"rollouts.kruise.io/trafficrouting":"other"}}}`},
		"the other style":    {b.Server, b.config, `{"spec":{"strategy":{"canary":null,"blueGreen":{"steps":` + two + `}}}}`},
		"all together":       {b.Server, b.config, `{"metadata":{"annotations":{"rollouts.kruise.io/trafficrouting":"other"}},"spec":{"disabled":true,"strategy":{"paused":true,"canary":{"failureThreshold":1}}}}`},
		"matches":            {b.routings(t), weightOnly, `{"spec":{"strategy":{"matches":[{"headers":[{"name":"a","value":"b"}]}]}}}`},
		"a header modifier":  {b.routings(t), weightOnly, `{"spec":{"strategy":{"requestHeaderModifier":{"remove":["a"]}}}}`},
		"modifier and other": {b.routings(t), weightOnly, `{"spec":{"strategy":{"weight":6,"requestHeaderModifier":{"remove":["a"]}}}}`},
	}) {
		kind := acctest.KubeRollouts
		if test.server != b.Server {
			kind = acctest.KubeTrafficRoutings
		}
		state, _ := test.server.ApplyAndVerify(t, test.config(nil), test.server.None())
		there := b.k.Patch(kind, domain, b.name, types.MergePatchType, test.patch)
		_, drifted := test.server.Read(t, state)
		if changes, _ := test.server.Changes(t, test.config(nil), drifted); len(changes) == 0 {
			t.Errorf("%s: no difference", name)
		}
		if _, said := test.server.Apply(t, test.config(nil), drifted); !strings.Contains(said, `onflict`) || !strings.Contains(said, `"kubectl-edit"`) || !strings.Contains(said, "force_conflicts = true") {
			t.Errorf("%s: the apply says %s", name, said)
		}
		if now := b.k.Get(kind, domain, b.name); now.GetGeneration() != there.GetGeneration() {
			t.Errorf("%s: overwritten: %v", name, now.Object["spec"])
		}
		forced, said := test.server.ApplyAndVerify(t, test.config(tree{"force_conflicts": true}), drifted)
		if said != "" {
			t.Errorf("%s, forced: %s", name, said)
		}
		// Nothing stays between the provider and itself.
		if kind == acctest.KubeRollouts {
			forced, _ = test.server.ApplyAndVerify(t, test.config(tree{"paused": true}), forced)
			forced, _ = test.server.ApplyAndVerify(t, test.config(nil), forced)
		} else {
			forced, _ = test.server.ApplyAndVerify(t, test.config(tree{"strategy": tree{"weight": int64(7)}}), forced)
		}
		test.server.Delete(t, forced)
	}
}

// TestPartsGo: parts of what was applied can be taken away one by one: an API
// server leaves null of an object of which everything goes, and refuses that.
func TestPartsGo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var state crudtest.State
	walk := func(server *crudtest.Server, configs ...definition.Value) {
		t.Helper()
		state = server.None()
		for i, config := range configs {
			var said string
			if state, said = server.ApplyAndVerify(t, config, state); strings.Contains(said, "ERROR") {
				t.Fatalf("%d: the apply says %s", i, said)
			}
		}
		server.Delete(t, state)
	}
	canary := func(with tree) definition.Value {
		return b.config(tree{"canary": merged(tree{"enable_extra_workload_for_canary": true, "steps": []any{tree{"replicas": "1"}, tree{"replicas": "100%"}}}, with)})
	}
	metadata := func(with tree) definition.Value { return canary(tree{"patch_pod_template_metadata": with}) }
	labels, annotations := map[string]string{"a": "b", "c": "d"}, map[string]string{"e": "f"}
	walk(b.Server, metadata(tree{"labels": labels, "annotations": annotations}), metadata(tree{"annotations": annotations}), metadata(tree{"labels": map[string]string{"a": "b"}}), metadata(tree{"labels": labels}), canary(nil))

	strategy := func(modifier tree) definition.Value {
		return b.routing(tree{"strategy": tree{"weight": int64(5), "request_header_modifier": modifier}})
	}
	pair := []any{tree{"name": "a", "value": "b"}}
	walk(b.routings(t), strategy(tree{"set": pair, "add": pair, "remove": []string{"r"}}), strategy(tree{"add": pair}), strategy(tree{"remove": []string{"r", "s"}}), strategy(tree{"set": pair}),
		b.routing(tree{"strategy": tree{"weight": int64(5)}}), b.routing(tree{"strategy": tree{"matches": []any{tree{"headers": pair}}}}), b.routing(tree{"strategy": tree{"weight": int64(0)}}))

	for at, said := range map[string]string{
		`AttributeName("canary").AttributeName("patch_pod_template_metadata")`: b.PlanErrors(t, metadata(tree{})),
		`AttributeName("strategy").AttributeName("request_header_modifier")`:   b.routings(t).PlanErrors(t, strategy(tree{"set": []any{}})),
	} {
		if !strings.Contains(said, "ERROR: "+at) || !strings.Contains(said, "leave it out") {
			t.Errorf("the plan says %s", said)
		}
	}
}

// TestFlagsOfOthers: a truth value that is left out since it is false, and that
// somebody else sets, is a difference, and theirs until it is taken over.
func TestFlagsOfOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, `{"spec":{"strategy":{"paused":true,"canary":{"enableExtraWorkloadForCanary":true}}}}`)
	_, drifted := b.Read(t, state)
	if _, said := b.Apply(t, b.config(nil), drifted); !strings.Contains(said, `with "kubectl-edit"`) {
		t.Errorf("the apply says %s", said)
	}
	state, _ = b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true}), drifted)
	b.CheckNoDrift(t, b.config(tree{"force_conflicts": true}), state)
	if paused, _, _ := unstructured.NestedBool(b.stored(t).Object, "spec", "strategy", "paused"); paused {
		t.Error("it is still paused")
	}
}

// TestNotRewritten: the controller does not rewrite what the provider sends,
// whatever is in it.
func TestNotRewritten(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]tree{
		"least": nil, "most": full(),
		"blue-green": {"canary": nil, "blue_green": tree{"steps": []any{tree{"replicas": "050%"}, tree{"replicas": "100%", "traffic": "05%"}}, "traffic_routing_ref": "routes"}},
		"zeros":      {"canary": tree{"steps": []any{tree{"replicas": "01"}, tree{"replicas": "0100%"}}, "failure_threshold": "00%"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.ApplyAndVerify(t, b.config(with), b.None())
			if n := b.quiet(t).GetGeneration(); n != 1 {
				t.Errorf("the generation is %d: the controller has rewritten %v", n, b.stored(t).Object["spec"])
			}
		})
	}
}

// TestWorkloadNotServed: a kind that the cluster does not have is refused in the
// plan: such a Rollout could not be deleted.
func TestWorkloadNotServed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, test := range map[string]struct {
		ref  tree
		says string
	}{
		"CloneSet":   {tree{"api_version": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "name": "x"}, "The cluster has no CloneSet of apps.kruise.io/v1alpha1"},
		"no version": {tree{"api_version": "apps/v2", "name": "x"}, `Kubernetes has no "apps/v2"`},
		"ReplicaSet": {tree{"kind": "ReplicaSet", "name": "x"}, "accepts a ReplicaSet"},
		"no name":    {tree{"name": ""}, "The name is empty"},
	} {
		if said := b.PlanErrors(t, b.config(tree{"workload_ref": test.ref})); !strings.Contains(said, "ERROR: AttributeName(\"workload_ref\")") || !strings.Contains(said, test.says) {
			t.Errorf("%s: the plan says %s", name, said)
		}
	}
}

// notApproved wants an approval to be refused, with nothing written.
func (r *releases) notApproved(t *testing.T, when string, step int, says string) {
	t.Helper()
	writes := r.k.CountRequests()
	_, said := r.approvals.Apply(t, r.approval(t, step, nil), r.approvals.None())
	if !strings.Contains(said, says) || !strings.Contains(said, "Nothing was written.") {
		t.Errorf("%s: says %s", when, said)
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

// TestStepsThatDoNotPause: a step that is being carried out is not approved, nor
// is one of which somebody has written a state that there is not; a pause for a
// time is ended early.
func TestStepsThatDoNotPause(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	long := tree{"canary": tree{"steps": []any{tree{"replicas": "25%", "pause": tree{"duration": int64(3000)}}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}}
	state, _ := r.ApplyAndVerify(t, r.steps(long), r.None())
	r.image("broken")
	r.until(t, kruise.Moving, 1)
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "at its pods", func(o *unstructured.Unstructured) bool {
		step, _, _ := unstructured.NestedString(o.Object, "status", "canaryStatus", "currentStepState")
		return step == "StepUpgrade"
	})
	r.notApproved(t, "pods that never start", 1, "Approving a step that is being carried out would skip it")
	r.image("v1")
	r.until(t, kruise.Healthy, 0)
	r.notApproved(t, "cancelled", 1, "the last one was rolled back")
	r.pods("v1")

	r.image("v2")
	r.until(t, kruise.AwaitingTime, 1)
	state0 := func(state string) {
		r.k.Patch(acctest.KubeRollouts, domain, r.name, types.MergePatchType, `{"status":{"canaryStatus":{"currentStepState":"`+state+`"}}}`, "status")
	}
	state0("Foo")
	r.until(t, kruise.Frozen, 1)
	r.notApproved(t, "a state that is none", 1, `The state of the step is "Foo"`)
	state0("StepPaused")
	r.until(t, kruise.AwaitingTime, 1)
	if _, said := r.approvals.ApplyAndVerify(t, r.approval(t, 1, tree{"to_step": int64(2)}), r.approvals.None()); said != "" || r.release(t).Step != 2 {
		t.Errorf("early, to the next step: the release is %s; says %s", r.release(t), said)
	}
	r.CheckNoDrift(t, r.steps(long), state)

	// Disabled and enabled again, the status keeps the step of before.
	state, _ = r.ApplyAndVerify(t, r.steps(merged(long, tree{"promote_on_destroy": true})), state)
	state, _ = r.ApplyAndVerify(t, r.steps(merged(long, tree{"promote_on_destroy": true, "disabled": true})), state)
	r.notApproved(t, "disabled", 2, "There is no release to approve: the Rollout is disabled")
	r.ApplyAndVerify(t, r.steps(long), state)
	r.notApproved(t, "enabled again", 2, "There is no release to approve")
}

func merged(a, b tree) tree {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// TestDuringReleaseAllowed: pauses, numbers and thresholds can be changed while a
// step is paused, and act at once.
func TestDuringReleaseAllowed(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	steps := func(first tree) definition.Value {
		return r.steps(tree{"canary": tree{"steps": []any{first, tree{"replicas": "75%"}, tree{"replicas": "100%"}}}})
	}
	state, _ = r.ApplyAndVerify(t, steps(tree{"replicas": "50%"}), state)
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "at two new pods", func(d *unstructured.Unstructured) bool {
		n, _, _ := unstructured.NestedInt64(d.Object, "status", "updatedReplicas")
		return n == 2
	})
	r.until(t, kruise.AwaitingApproval, 1)
	r.ApplyAndVerify(t, steps(tree{"replicas": "50%", "pause": tree{"duration": int64(1)}}), state)
	r.until(t, kruise.AwaitingApproval, 2)
}

// TestStuck: a workload that was deleted during a release and made again has a
// next release that never ends, which is said.
func TestStuck(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	kd := r.k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, r.name).DeepCopy()
	r.k.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, r.name)
	r.until(t, kruise.NoWorkload, 0)
	r.notApproved(t, "without a workload", 1, "There is no release to approve: the Rollout is waiting for its workload, which does not exist")
	kd.Object["metadata"] = map[string]any{"namespace": acctest.KubeNamespace, "name": r.name}
	delete(kd.Object, "status")
	r.k.Create(acctest.KubeKusciaDeployments, kd)
	r.pods("v2")
	r.until(t, kruise.Healthy, 0)
	r.image("v3")
	r.until(t, kruise.Stuck, 1)
	r.notApproved(t, "stuck", 1, "never ends")
	r.CheckNoDrift(t, r.steps(nil), state)
}

// TestManagerDown: without Kruise's manager nothing of a Rollout is written but
// its status, and a delete does not end. All of that is said, and nothing is
// lost.
func TestManagerDown(t *testing.T) {
	t.Parallel()
	r := newReleasesOn(t, acctest.NewKubeServer(t), nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	r.k.StopController(acctest.KruiseController)
	other := r.steps(tree{"name": r.name + "-other", "workload_ref": tree{"name": "other"}})
	if created, said := r.Apply(t, other, r.None()); !created.Value.IsNull() || !strings.Contains(said, `failed calling webhook "vrollout.kb.io"`) || !strings.Contains(said, "kruise-rollout-controller-manager") {
		t.Errorf("a create says %s", said)
	}
	if _, said := r.Apply(t, r.steps(tree{"paused": true}), state); !strings.Contains(said, "kruise-rollout-controller-manager") {
		t.Errorf("an update says %s", said)
	}
	_, said := r.approvals.Apply(t, r.approval(t, 1, tree{"timeouts": tree{"create": "1s"}}), r.approvals.None())
	if !strings.Contains(said, "he step was approved") || !strings.Contains(said, "the time limit in timeouts has passed") {
		t.Errorf("an approval says %s", said)
	}
	r.CheckNoDrift(t, r.steps(nil), state)
	r.k.StartController(acctest.KruiseController)
	r.until(t, kruise.AwaitingApproval, 2)
	state, _ = r.ApplyAndVerify(t, r.steps(tree{"promote_on_destroy": true, "timeouts": tree{"delete": "1s"}}), state)
	r.k.StopController(acctest.KruiseController)
	kept, said := r.Delete(t, state)
	if kept.Value.IsNull() || !strings.Contains(said, ") wait for the controller") {
		t.Errorf("a delete says %s", said)
	}
	r.k.StartController(acctest.KruiseController)
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
	if gone, said := r.Delete(t, kept); !gone.Value.IsNull() || said != "" {
		t.Errorf("the delete once more says %s", said)
	}
	r.pods("v2")
}

// TestReadTogether: the Rollouts of a namespace are refreshed from one list.
func TestReadTogether(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const n = 12
	var states []crudtest.State
	name := b.name
	for i := range n {
		b.name = name + string(rune('a'+i))
		state, _ := b.Apply(t, b.config(nil), b.None())
		states = append(states, state)
	}
	b.quiet(t)
	requests := b.k.CountRequests()
	crudtest.Many{
		Server: func() *crudtest.Server { return crudtest.NewServer(t, exported, accessTo(b.k)) },
		States: states, Most: 8, // three are asked for alone, with their workloads
		Requests: func() int {
			defer requests.Start()
			return len(requests.Since())
		},
		Drift: func() (int, string) {
			b.k.Patch(acctest.KubeRollouts, domain, name+"e", types.MergePatchType, `{"spec":{"disabled":true}}`)
			return 4, "disabled"
		},
	}.ReadTogether(t)
}
