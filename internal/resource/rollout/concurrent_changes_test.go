package rollout_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
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
	return rollout.TrafficRouting.Definition.Encode(merged(out, with))
}

// TestAddedByOthers: a field that another client added and that is not configured is drift.
// The apply conflicts, and removes the field with force_conflicts.
func TestAddedByOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, patch := range map[string]string{
		"a flag":          `{"spec":{"strategy":{"canary":{"disableGenerateCanaryService":true}}}}`,
		"a reference":     `{"metadata":{"annotations":{"rollouts.kruise.io/trafficrouting":"other"}}}`,
		"the other style": `{"spec":{"strategy":{"canary":null,"blueGreen":{"steps":[{"replicas":1,"pause":{}},{"replicas":"100%","pause":{}}]}}}}`,
	} {
		state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
		there := b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, patch)
		_, drifted := b.Read(t, state)
		if changes, _ := b.Changes(t, b.config(nil), drifted); len(changes) == 0 {
			t.Errorf("%s: the plan is empty", name)
		}
		if _, said := b.Apply(t, b.config(nil), drifted); !strings.Contains(said, `onflict`) || !strings.Contains(said, `"kubectl-edit"`) || !strings.Contains(said, "force_conflicts = true") {
			t.Errorf("%s: apply: got diagnostics %s", name, said)
		}
		if now := b.stored(t); now.GetGeneration() != there.GetGeneration() {
			t.Errorf("%s: changes by others were overwritten: %v", name, now.Object["spec"])
		}
		forced, said := b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true}), drifted)
		if said != "" {
			t.Errorf("%s, force_conflicts: %s", name, said)
		}
		// The provider does not conflict with itself afterwards.
		forced, _ = b.ApplyAndVerify(t, b.config(tree{"paused": true}), forced)
		forced, _ = b.ApplyAndVerify(t, b.config(nil), forced)
		b.Delete(t, forced)
	}
	// A traffic routing has no annotations of its controller.
	routings, weight := b.routings(t), tree{"strategy": tree{"weight": int64(5)}}
	state, _ := routings.ApplyAndVerify(t, b.routing(weight), routings.None())
	b.k.Patch(acctest.KubeTrafficRoutings, domain, b.name, types.MergePatchType, `{"spec":{"strategy":{"matches":[{"headers":[{"name":"a","value":"b"}]}]}}}`)
	_, drifted := routings.Read(t, state)
	routings.ApplyAndVerify(t, b.routing(merged(weight, tree{"force_conflicts": true})), drifted)
}

// TestChangedSinceThePlan: changes by other clients between plan and write are not overwritten,
// with or without force_conflicts. This includes removed fields.
func TestChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	for patch, force := range map[string]bool{`[{"op":"remove","path":"/spec/strategy/canary/steps/1"}]`: false, `[{"op":"replace","path":"/spec/disabled","value":true}]`: true} {
		next := b.config(tree{"paused": true, "force_conflicts": force})
		plan, _ := b.Plan(t, next, state)
		there := b.k.Patch(acctest.KubeRollouts, domain, b.name, types.JSONPatchType, patch)
		response := b.Change(t, next, state, plan)
		if said := crudtest.Messages(response.Diagnostics); !strings.Contains(said, "nother client has changed the object since the plan") || b.stored(t).GetGeneration() != there.GetGeneration() {
			t.Errorf("force_conflicts %t: apply diagnostics: %s", force, said)
		}
		_, read := b.Read(t, state)
		state, _ = b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true}), read)
	}
}

var merged = protocol.With[tree]

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
