package rollout_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

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
	for name, test := range map[string]change{
		"removed":  {b.Server, b.config, tree{"paused": true}, "rollouts", `[{"op":"remove","path":"/spec/strategy/canary/steps/1"}]`},
		"a weight": {b.routings(t), b.routing, tree{"object_ref": []any{tree{"service": "t", "ingress": tree{"name": "i"}}}}, "trafficroutings", `[{"op":"replace","path":"/spec/strategy/weight","value":6}]`},
	} {
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
	for name, test := range map[string]addition{
		"a flag":          {b.Server, b.config, `{"spec":{"strategy":{"canary":{"disableGenerateCanaryService":true}}}}`},
		"a reference":     {b.Server, b.config, `{"metadata":{"annotations":{"rollouts.kruise.io/trafficrouting":"other"}}}`},
		"the other style": {b.Server, b.config, `{"spec":{"strategy":{"canary":null,"blueGreen":{"steps":` + two + `}}}}`},
		"matches":         {b.routings(t), weightOnly, `{"spec":{"strategy":{"matches":[{"headers":[{"name":"a","value":"b"}]}]}}}`},
	} {
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

// TestStepsThatDoNotPause: a timed pause is ended early. After the Rollout was disabled and
// enabled again, the status keeps the previous step, of which there is nothing to approve.
func TestStepsThatDoNotPause(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	long := tree{"canary": tree{"steps": []any{tree{"replicas": "25%", "pause": tree{"duration": int64(3000)}}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}}
	state, _ := r.ApplyAndVerify(t, r.steps(long), r.None())
	r.image("v2")
	r.until(t, kruise.TimedPause, 1)
	if _, said := r.approvals.ApplyAndVerify(t, r.approval(t, 1, tree{"to_step": int64(2)}), r.approvals.None()); said != "" || r.release(t).Step != 2 {
		t.Errorf("timed pause, to the next step: the release is %s; diagnostics: %s", r.release(t), said)
	}
	r.CheckNoDrift(t, r.steps(long), state)
	state, _ = r.ApplyAndVerify(t, r.steps(merged(long, tree{"promote_on_destroy": true})), state)
	state, _ = r.ApplyAndVerify(t, r.steps(merged(long, tree{"promote_on_destroy": true, "disabled": true})), state)
	r.notApproved(t, "disabled", 2, nil, "There is no release to approve: the Rollout is disabled")
	r.ApplyAndVerify(t, r.steps(long), state)
	r.notApproved(t, "enabled again", 2, nil, "There is no release to approve")
}

func merged(a, b tree) tree {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
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
