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

// TestRandom: random configurations on a cluster, one after the other: what is
// applied is left alone by the controller, plans empty and imports so, and whole
// answers are the same with and without shortcuts, also for another configuration
// and for what somebody else has made of the object.
func TestRandom(t *testing.T) {
	t.Parallel()
	count := 4
	if !testing.Short() {
		count = 60
	}
	b := newBench(t)
	t.Run("rollouts", func(t *testing.T) {
		b.random(t, count, b.Server, crudtest.NewFastServer(t, rollout.Rollout, b.c), rollout.Rollout.Definition, rollout.DrawnRollouts(b.name))
	})
	t.Run("traffic routing", func(t *testing.T) {
		b.random(t, count, b.routings(t), crudtest.NewFastServer(t, rollout.TrafficRouting, b.c), rollout.TrafficRouting.Definition, rollout.DrawnRoutings(b.name))
	})
}

func (b *bench) random(t *testing.T, count int, bare, fast *crudtest.Server, of *definition.Definition, drawn *rapid.Generator[definitiontest.Drawn]) {
	t.Helper()
	state := bare.None()
	for seed := range count {
		config := of.Encode(drawn.Example(seed).Tree)
		next, said := bare.ApplyAndVerify(t, config, state)
		if strings.Contains(said, "ERROR") {
			t.Fatalf("seed %d: the apply of %v says %s", seed, drawn.Example(seed), said)
		}
		state = next
		if seed == 0 {
			imported, said := bare.Import(t, domain+"/"+b.name)
			if said != "" {
				t.Error(said)
			}
			bare.CheckNoDrift(t, config, imported)
		}
		crudtest.Agree(t, bare, fast, config, state)
		crudtest.Agree(t, bare, fast, of.Encode(drawn.Example(seed+count).Tree), state)
		requests := b.k.CountRequests()
		if after, said := bare.Apply(t, config, state); !after.Value.Equal(state.Value) {
			t.Errorf("seed %d: applied again it is %s: %s", seed, after.Value, said)
		}
		if err := requests.ExpectNoWrites()(nil); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, drawn.Example(seed))
		}
	}
	if gone, said := bare.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.NewFastServer(t, rollout.TrafficRouting, b.c).CheckFastPath(t, b.routing(nil))
	routed := full()
	routed["canary"].(tree)["traffic_routing_ref"] = b.name
	crudtest.NewFastServer(t, rollout.Rollout, b.c).CheckFastPath(t, b.config(routed))
}
