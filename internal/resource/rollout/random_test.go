package rollout_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// TestRandom applies random configurations to a cluster, one after the other.
// The controller does not change the applied object, and the plans after apply
// and import are empty. All responses are the same with and without shortcuts,
// also for another configuration and after changes by other clients.
func TestRandom(t *testing.T) {
	t.Parallel()
	count := 4
	if !testing.Short() {
		count = 60
	}
	b := newBench(t)
	t.Run("rollouts", func(t *testing.T) {
		b.random(t, count, b.Server, crudtest.NewFastServer(t, rollout.Rollout, b.c), rollout.Rollout.Definition, rollout.ValidRollouts(b.name))
	})
	t.Run("traffic routing", func(t *testing.T) {
		b.random(t, count, b.routings(t), crudtest.NewFastServer(t, rollout.TrafficRouting, b.c), rollout.TrafficRouting.Definition, rollout.ValidRoutings(b.name))
	})
}

func (b *bench) random(t *testing.T, count int, bare, fast *crudtest.Server, of *definition.Definition, drawn *rapid.Generator[definitiontest.Drawn]) {
	t.Helper()
	state := bare.None()
	for seed := range count {
		config := of.Encode(drawn.Example(seed).Tree)
		next, said := bare.ApplyAndVerify(t, config, state)
		if strings.Contains(said, "ERROR") {
			t.Fatalf("seed %d: apply of %v: diagnostics: %s", seed, drawn.Example(seed), said)
		}
		state = next
		if seed == 0 {
			imported, said := bare.Import(t, domain+"/"+b.name)
			if said != "" {
				t.Error(said)
			}
			bare.CheckNoDrift(t, config, imported)
		}
		crudtest.CompareResponses(t, bare, fast, config, state)
		crudtest.CompareResponses(t, bare, fast, of.Encode(drawn.Example(seed+count).Tree), state)
		requests := b.k.CountRequests()
		if after, said := bare.Apply(t, config, state); !after.Value.Equal(state.Value) {
			t.Errorf("seed %d: after the second apply: state %s, diagnostics: %s", seed, after.Value, said)
		}
		if err := requests.ExpectNoWrites()(nil); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, drawn.Example(seed))
		}
	}
	if gone, said := bare.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("delete: got diagnostics %s", said)
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
