package rollout_test

import (
	"fmt"
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

// routings returns kuscia_traffic_routing on the cluster of a bench.
func (b *bench) routings(t *testing.T) *crudtest.Server {
	t.Helper()
	return crudtest.NewServer(t, rollout.TrafficRouting, b.c)
}

// routing returns a configuration of traffic routing, modified by with.
func (b *bench) routing(with tree) definition.Value {
	out := tree{
		"namespace": domain, "name": b.name, "object_ref": []any{tree{"service": "s", "ingress": tree{"class_type": "nginx", "name": "i"}}},
		"strategy": tree{
			"weight": int64(5), "matches": []any{tree{"headers": []any{tree{"name": "h", "value": "v"}}}},
			"request_header_modifier": tree{"set": map[string]string{"a": "b"}, "remove": []string{"r"}},
		},
	}
	maps.Copy(out, with)
	return rollout.TrafficRouting.Definition.Encode(out)
}

// TestChangedSinceThePlan: changes by other clients between plan and write are
// not overwritten, with or without force_conflicts. This includes removed
// fields.
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
		"a step":      {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"replace","path":"/spec/strategy/canary/steps/0/replicas","value":2}]`},
		"a flag":      {b.Server, b.config, tree{"failure_threshold": nil, "canary": tree{"failure_threshold": "10%", "steps": []any{tree{"replicas": "1"}, tree{"replicas": "100%"}}}}, "rollouts", `[{"op":"add","path":"/spec/strategy/paused","value":true}]`},
		"removed":     {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"remove","path":"/spec/strategy/canary/steps/1"}]`},
		"a reference": {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"add","path":"/metadata/annotations/rollouts.kruise.io~1trafficrouting","value":"other"}]`},
		"a weight":    {b.routings(t), b.routing, tree{"object_ref": []any{tree{"service": "t", "ingress": tree{"name": "i"}}}}, "trafficroutings", `[{"op":"replace","path":"/spec/strategy/weight","value":6}]`},
		"no headers":  {b.routings(t), b.routing, tree{"object_ref": []any{tree{"service": "t", "ingress": tree{"name": "i"}}}}, "trafficroutings", `[{"op":"remove","path":"/spec/strategy/matches/0/headers"}]`},
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
			response := test.server.Change(t, test.config(next), state, plan)
			if said := crudtest.Messages(response.Diagnostics); !strings.Contains(said, "nother client has changed the object since the plan") {
				t.Errorf("%s, force_conflicts %t: apply diagnostics: %s", name, force, said)
			}
			if now := b.k.Get(kind, domain, b.name); now.GetGeneration() != there.GetGeneration() {
				t.Errorf("%s, force_conflicts %t: changes by others were overwritten: %v", name, force, now.Object["spec"])
			}
			_, read := test.server.Read(t, state)
			state, _ = test.server.ApplyAndVerify(t, test.config(tree{"force_conflicts": true}), read)
		}
		test.server.Delete(t, state)
	}
}

// TestAlreadyAsPlanned: an update succeeds if the object already is as planned,
// for example by a delayed write of an interrupted apply.
func TestAlreadyAsPlanned(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.quiet(t)
	plan, _ := b.Plan(t, b.config(tree{"paused": true}), state)
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, `{"spec":{"strategy":{"paused":true}}}`)
	if response := b.Change(t, b.config(tree{"paused": true}), state, plan); len(response.Diagnostics) > 0 {
		t.Errorf("apply: got diagnostics %s", crudtest.Messages(response.Diagnostics))
	}
}

// TestAddedByOthers: a field that another client added and that is not
// configured is drift. The apply conflicts, and removes the field with
// force_conflicts.
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
			t.Errorf("%s: the plan is empty", name)
		}
		if _, said := test.server.Apply(t, test.config(nil), drifted); !strings.Contains(said, `onflict`) || !strings.Contains(said, `"kubectl-edit"`) || !strings.Contains(said, "force_conflicts = true") {
			t.Errorf("%s: apply: got diagnostics %s", name, said)
		}
		if now := b.k.Get(kind, domain, b.name); now.GetGeneration() != there.GetGeneration() {
			t.Errorf("%s: changes by others were overwritten: %v", name, now.Object["spec"])
		}
		forced, said := test.server.ApplyAndVerify(t, test.config(tree{"force_conflicts": true}), drifted)
		if said != "" {
			t.Errorf("%s, force_conflicts: %s", name, said)
		}
		// The provider does not conflict with itself afterwards.
		if kind == acctest.KubeRollouts {
			forced, _ = test.server.ApplyAndVerify(t, test.config(tree{"paused": true}), forced)
			forced, _ = test.server.ApplyAndVerify(t, test.config(nil), forced)
		} else {
			forced, _ = test.server.ApplyAndVerify(t, test.config(tree{"strategy": tree{"weight": int64(7)}}), forced)
		}
		test.server.Delete(t, forced)
	}
}

// TestRemoveFields: parts of an applied object can be removed one by one. If all
// fields of an object are removed, the API server keeps null, and rejects it.
func TestRemoveFields(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var state crudtest.State
	walk := func(server *crudtest.Server, configs ...definition.Value) {
		t.Helper()
		state = server.None()
		for i, config := range configs {
			var said string
			if state, said = server.ApplyAndVerify(t, config, state); strings.Contains(said, "ERROR") {
				t.Fatalf("%d: apply: got diagnostics %s", i, said)
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
	pair := map[string]string{"a": "b"}
	walk(b.routings(t), strategy(tree{"set": pair, "add": pair, "remove": []string{"r"}}), strategy(tree{"add": pair}), strategy(tree{"remove": []string{"r", "s"}}), strategy(tree{"set": pair}),
		b.routing(tree{"strategy": tree{"weight": int64(5)}}), b.routing(tree{"strategy": tree{"matches": []any{tree{"headers": []any{tree{"name": "a", "value": "b"}}}}}}), b.routing(tree{"strategy": tree{"weight": int64(0)}}))

	for at, said := range map[string]string{
		`AttributeName("canary").AttributeName("patch_pod_template_metadata")`: b.PlanErrors(t, metadata(tree{})),
		`AttributeName("strategy").AttributeName("request_header_modifier")`:   b.routings(t).PlanErrors(t, strategy(tree{"set": map[string]string{}})),
	} {
		if !strings.Contains(said, "ERROR: "+at) || !strings.Contains(said, "omit it") {
			t.Errorf("plan: got diagnostics %s", said)
		}
	}
}

// TestFlagsOfOthers: a boolean that the provider does not send because it is
// false, and that another client sets, is drift. It is overwritten only with
// force_conflicts.
func TestFlagsOfOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, `{"spec":{"strategy":{"paused":true,"canary":{"enableExtraWorkloadForCanary":true}}}}`)
	_, drifted := b.Read(t, state)
	if _, said := b.Apply(t, b.config(nil), drifted); !strings.Contains(said, `with "kubectl-edit"`) {
		t.Errorf("apply: got diagnostics %s", said)
	}
	state, _ = b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true}), drifted)
	b.CheckNoDrift(t, b.config(tree{"force_conflicts": true}), state)
	if paused, _, _ := unstructured.NestedBool(b.stored(t).Object, "spec", "strategy", "paused"); paused {
		t.Error("the Rollout is still paused")
	}
}

// TestNotRewritten: the controller does not rewrite any spec of the provider.
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
				t.Errorf("the generation is %d: the controller rewrote %v", n, b.stored(t).Object["spec"])
			}
		})
	}
}

// TestWorkloadNotServed: the plan rejects a kind that the cluster does not
// serve, because such a Rollout cannot be deleted.
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
			t.Errorf("%s: plan: got diagnostics %s", name, said)
		}
	}
}

// notApproved checks that an approval is rejected and nothing is written.
func (r *releases) notApproved(t *testing.T, when string, step int, says string) {
	t.Helper()
	writes := r.k.CountRequests()
	_, said := r.approvals.Apply(t, r.approval(t, step, nil), r.approvals.None())
	if !strings.Contains(said, says) || !strings.Contains(said, "Nothing was written.") {
		t.Errorf("%s: got diagnostics %s", when, said)
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

// TestStepsThatDoNotPause: a step in progress is not approved, nor is a step
// with an invalid state. A timed pause is ended early.
func TestStepsThatDoNotPause(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	long := tree{"canary": tree{"steps": []any{tree{"replicas": "25%", "pause": tree{"duration": int64(3000)}}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}}
	state, _ := r.ApplyAndVerify(t, r.steps(long), r.None())
	r.image("broken")
	r.until(t, kruise.StepInProgress, 1)
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "at its pods", func(o *unstructured.Unstructured) bool {
		step, _, _ := unstructured.NestedString(o.Object, "status", "canaryStatus", "currentStepState")
		return step == "StepUpgrade"
	})
	r.notApproved(t, "pods that never start", 1, "Approving a step in progress would skip it")
	r.image("v1")
	r.until(t, kruise.Healthy, 0)
	r.notApproved(t, "cancelled", 1, "the last release was rolled back")
	r.pods("v1")

	r.image("v2")
	r.until(t, kruise.TimedPause, 1)
	r.k.SetStepState(domain, r.name, "Foo")
	r.until(t, kruise.UnknownStepState, 1)
	r.notApproved(t, "an invalid state", 1, `The state of the step is "Foo"`)
	r.k.SetStepState(domain, r.name, kruise.StepPaused)
	r.until(t, kruise.TimedPause, 1)
	if _, said := r.approvals.ApplyAndVerify(t, r.approval(t, 1, tree{"to_step": int64(2)}), r.approvals.None()); said != "" || r.release(t).Step != 2 {
		t.Errorf("timed pause, to the next step: the release is %s; diagnostics: %s", r.release(t), said)
	}
	r.CheckNoDrift(t, r.steps(long), state)

	// After it is disabled and enabled again, the status keeps the previous
	// step.
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

// TestDuringReleaseAllowed: pauses, replicas and thresholds can be changed
// while a step is paused, with immediate effect, and so can the traffic of a later step.
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
	for _, traffic := range []string{"20%", "30%"} {
		var said string
		state, said = r.ApplyAndVerify(t, r.steps(tree{"canary": tree{"steps": []any{
			tree{"replicas": "50%"}, tree{"replicas": "50%", "traffic": traffic}, tree{"replicas": "100%"},
		}}}), state)
		if strings.Contains(said, "ERROR") || !strings.Contains(said, "carry out step 1 again") {
			t.Errorf("traffic %s: got diagnostics %s", traffic, said)
		}
		all, _, _ := unstructured.NestedSlice(r.stored(t).Object, "spec", "strategy", "canary", "steps")
		if step, _ := all[1].(map[string]any); step["traffic"] != traffic {
			t.Errorf("the second step is %v", step)
		}
		r.until(t, kruise.AwaitingApproval, 1)
	}
	r.ApplyAndVerify(t, steps(tree{"replicas": "50%", "pause": tree{"duration": int64(1)}}), state)
	r.until(t, kruise.AwaitingApproval, 2)
}

// TestStuck: if a workload is deleted during a release and created again, its
// next release never ends. The error states this.
func TestStuck(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	kd := r.k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, r.name).DeepCopy()
	r.k.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, r.name)
	r.until(t, kruise.NoWorkload, 0)
	r.notApproved(t, "without a workload", 1, "There is no release to approve: the Rollout is waiting for its workload, which does not exist")
	r.readyBatches()
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

// readyBatches sets the state that a BatchRelease has in the recordings: it is not ready
// any more if it has seen that the pods end before the Deployment.
func (r *releases) readyBatches() {
	batches := r.k.Get(acctest.KubeBatchReleases, domain, r.name)
	if batches == nil {
		return
	}
	if state, _, _ := unstructured.NestedString(batches.Object, "status", "canaryStatus", "currentBatchState"); state != "Ready" {
		r.k.Patch(acctest.KubeBatchReleases, domain, r.name, types.MergePatchType, `{"status":{"canaryStatus":{"currentBatchState":"Ready"}}}`, "status")
	}
}

// TestManagerDown: while Kruise's controller manager is down, the cluster
// accepts only changes of a Rollout's status, and deletes do not end. The
// errors state this, and the state is kept.
func TestManagerDown(t *testing.T) {
	t.Parallel()
	r := newReleasesOn(t, acctest.NewKubeServer(t), nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	r.k.StopController(acctest.KruiseController)
	other := r.steps(tree{"name": r.name + "-other", "workload_ref": tree{"name": "other"}})
	if created, said := r.Apply(t, other, r.None()); !created.Value.IsNull() || !strings.Contains(said, `failed calling webhook "vrollout.kb.io"`) || !strings.Contains(said, "kruise-rollout-controller-manager") {
		t.Errorf("create: got diagnostics %s", said)
	}
	if _, said := r.Apply(t, r.steps(tree{"paused": true}), state); !strings.Contains(said, "kruise-rollout-controller-manager") {
		t.Errorf("update: got diagnostics %s", said)
	}
	_, said := r.approvals.Apply(t, r.approval(t, 1, tree{"timeouts": tree{"create": "1s"}}), r.approvals.None())
	if !strings.Contains(said, "was approved") || !strings.Contains(said, "the timeout has passed") {
		t.Errorf("approval: got diagnostics %s", said)
	}
	r.CheckNoDrift(t, r.steps(nil), state)
	r.k.StartController(acctest.KruiseController)
	r.until(t, kruise.AwaitingApproval, 2)
	state, _ = r.ApplyAndVerify(t, r.steps(tree{"promote_on_destroy": true, "timeouts": tree{"delete": "1s"}}), state)
	r.k.StopController(acctest.KruiseController)
	kept, said := r.Delete(t, state)
	if kept.Value.IsNull() || !strings.Contains(said, ") wait for the controller") {
		t.Errorf("delete: got diagnostics %s", said)
	}
	r.k.StartController(acctest.KruiseController)
	r.k.Eventually(acctest.KubeRollouts, domain, r.name, "deleted", func(o *unstructured.Unstructured) bool { return o == nil })
	if gone, said := r.Delete(t, kept); !gone.Value.IsNull() || said != "" {
		t.Errorf("second delete: got diagnostics %s", said)
	}
	r.pods("v2")
}

// TestReadTogether: a refresh reads the Rollouts of a namespace with one list.
func TestReadTogether(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const n = 12
	var states []crudtest.State
	name := b.name
	for i := range n {
		b.name = fmt.Sprintf("%s-%d", name, i)
		state, _ := b.Apply(t, b.config(nil), b.None())
		states = append(states, state)
	}
	b.quiet(t)
	requests := b.k.CountRequests()
	crudtest.Many{
		Server: func() *crudtest.Server { return crudtest.NewServer(t, exported, b.access()) },
		States: states, Most: 8, // three are read one by one, with their workloads
		Requests: func() int {
			defer requests.Start()
			return len(requests.Since())
		},
		Drift: func() (int, string) {
			b.k.Patch(acctest.KubeRollouts, domain, name+"-4", types.MergePatchType, `{"spec":{"disabled":true}}`)
			return 4, "disabled"
		},
	}.ReadTogether(t)
}

// TestWorkloadsOfOneName: a Rollout of a StatefulSet that is deleted says nothing about
// the Deployment of the same name, which has a Rollout with blue-green.
func TestWorkloadsOfOneName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, said := b.ApplyAndVerify(t, b.config(tree{"workload_ref": tree{"api_version": "apps/v1", "kind": "StatefulSet", "name": b.name}}), b.None())
	if strings.Contains(said, "ERROR") {
		t.Fatal(said)
	}
	b.k.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": domain, "name": b.name + "-green"},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": b.name},
			"strategy":    map[string]any{"blueGreen": map[string]any{"steps": []any{map[string]any{"replicas": "100%", "pause": map[string]any{}}}}},
		},
	}})
	b.Delete(t, state)
	if said := strategyOf(t, b.c, b.name); !strings.Contains(said, "Blue-green does not work with the Deployment") {
		t.Errorf("the strategy of the Deployment: %q", said)
	}
}
