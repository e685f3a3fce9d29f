package rollout_test

import (
	"maps"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// mixed is a configuration with some of the parts.
func mixed(random *mathrand.Rand, config tree, parts ...tree) tree {
	out := maps.Clone(config)
	for _, part := range parts {
		if random.IntN(3) == 0 {
			maps.Copy(out, part)
		}
	}
	return out
}

// Parts of steps and strategies: set, empty, or written in another way.
var (
	pairs         = []any{tree{"name": "a", "value": "1"}, tree{"name": "b", "value": "b", "type": "Exact"}}
	modifierParts = []tree{
		{"request_header_modifier": tree{"set": map[string]string{"a": "1", "b": "b"}, "remove": []string{"c", "d"}}}, {"request_header_modifier": tree{"add": map[string]string{"a": "b"}}},
	}
	stepParts = append([]tree{
		{"traffic": "05%"}, {"traffic": ""}, {"pause": tree{}}, {"pause": tree{"duration": int64(60)}}, {"matches": []any{}}, {"matches": []any{tree{"headers": pairs}, tree{"path": tree{}}}},
		{"matches": []any{tree{"path": tree{"type": "Exact", "value": "/a"}, "query_params": pairs}}},
	}, modifierParts...)
	styleParts = []tree{
		{"failure_threshold": "010%"}, {"failure_threshold": ""}, {"disable_generate_canary_service": true}, {"traffic_routing_ref": "routes"}, {"traffic_routings": []any{}},
		{"traffic_routings": []any{tree{"service": "s", "grace_period_seconds": int64(4), "ingress": tree{"class_type": "nginx", "name": "i"}}}},
		{"traffic_routings": []any{tree{"service": "s", "gateway": tree{"http_route_name": "r"}, "custom_network_refs": []any{tree{"api_version": "v1", "kind": "K", "name": "n"}}}}},
	}
	canaryParts = []tree{
		{"enable_extra_workload_for_canary": false}, {"enable_extra_workload_for_canary": true, "patch_pod_template_metadata": tree{"labels": map[string]string{"a": "b"}}},
		{"enable_extra_workload_for_canary": true, "patch_pod_template_metadata": tree{"labels": map[string]string{"a": "c", "d": "e"}, "annotations": map[string]string{"a": "b"}}},
	}
)

// anyRollout is a random valid Rollout.
func (b *bench) anyRollout(random *mathrand.Rand) definition.Value {
	var steps []any
	for _, replicas := range [][]string{{"1", "100%"}, {"025%", "50%", "100%"}, {"01"}}[random.IntN(3)] {
		step := tree{"replicas": replicas}
		if len(steps) == 0 && replicas != "100%" {
			step = mixed(random, step, stepParts...)
		}
		steps = append(steps, step)
	}
	style := mixed(random, tree{"steps": steps}, styleParts...)
	with := tree{"canary": nil, "blue_green": style}
	if random.IntN(2) == 0 {
		with = tree{"canary": mixed(random, style, canaryParts...)}
	}
	return b.config(mixed(random, with, tree{"paused": true}, tree{"disabled": true}, tree{"disabled": false}, tree{"promote_on_destroy": true},
		tree{"workload_ref": tree{"name": b.name, "kind": "Deployment"}}))
}

// anyRouting is a random valid traffic routing.
func (b *bench) anyRouting(random *mathrand.Rand) definition.Value {
	strategy := mixed(random, tree{"weight": int64(random.IntN(3))}, append([]tree{{"matches": []any{}}, {"matches": []any{tree{"headers": pairs}}}}, modifierParts...)...)
	return b.routing(mixed(random, tree{"strategy": strategy}, tree{"force_conflicts": true}, tree{"object_ref": []any{tree{"service": "s", "grace_period_seconds": int64(3), "gateway": tree{"http_route_name": "r"}}}}))
}

// TestRandom applies random configurations to a cluster, one after the other. The plans after
// apply and import are empty. All responses are the same with and without shortcuts, also for
// another configuration.
func TestRandom(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, test := range map[string]struct {
		bare, fast *crudtest.Server
		draw       func(*mathrand.Rand) definition.Value
	}{
		"rollouts":        {b.Server, crudtest.NewFastServer(t, rollout.Rollout, b.c), b.anyRollout},
		"traffic routing": {b.routings(t), crudtest.NewFastServer(t, rollout.TrafficRouting, b.c), b.anyRouting},
	} {
		t.Run(name, func(t *testing.T) {
			count := 4
			if !testing.Short() {
				count = 60
			}
			state := test.bare.None()
			for range count {
				seed := mathrand.Uint64()
				random := mathrand.New(mathrand.NewPCG(seed, 0))
				config := test.draw(random)
				var said string
				if state, said = test.bare.ApplyAndVerify(t, config, state); strings.Contains(said, "ERROR") {
					t.Fatalf("seed %d: apply of %v: diagnostics: %s", seed, config, said)
				}
				imported, said := test.bare.Import(t, domain+"/"+b.name)
				if said != "" {
					t.Error(said)
				}
				writes := b.k.CountRequests()
				test.bare.Apply(t, config, imported)
				if err := writes.ExpectNoWrites()(nil); err != nil {
					t.Errorf("the apply after an import: %v", err)
				}
				crudtest.CompareResponses(t, test.bare, test.fast, config, state)
				crudtest.CompareResponses(t, test.bare, test.fast, test.draw(random), state)
				if t.Failed() {
					t.Fatalf("seed %d: %v", seed, config)
				}
			}
			if gone, said := test.bare.Delete(t, state); !gone.Value.IsNull() || said != "" {
				t.Errorf("delete: got diagnostics %s", said)
			}
		})
	}
}

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without
// changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.NewFastServer(t, rollout.TrafficRouting, b.c).CheckFastPath(t, b.routing(nil))
	crudtest.NewFastServer(t, rollout.Rollout, b.c).CheckFastPath(t, b.config(tree{
		"paused": true, "canary": tree{"traffic_routing_ref": b.name, "steps": []any{tree{"replicas": "25%", "traffic": "5%"}, tree{"replicas": "100%"}}},
	}))
}
