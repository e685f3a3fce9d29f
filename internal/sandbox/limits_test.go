package sandbox

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestRolloutKeepsItsLimits: whatever the strategy, never fewer pods run than
// it allows, never more exist, and in the end all wanted ones run.
func TestRolloutKeepsItsLimits(t *testing.T) {
	e := NewEngine(true, 0)
	c := NewCluster(e, RealTiming(), func(string) time.Time { return time.Time{} }, func(string) {})
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		id := fmt.Sprint("s", run)
		limit := rapid.SampledFrom([]string{"0", "1", "2", "25%", "50%", "100%"})
		strategy := kuscia.UpdateStrategy{
			Type:     rapid.SampledFrom([]string{"RollingUpdate", "Recreate"}).Draw(rt, "type"),
			MaxSurge: limit.Draw(rt, "surge"), MaxUnavailable: limit.Draw(rt, "unavailable"),
		}
		if (strategy.MaxSurge == "0") && strategy.MaxUnavailable == "0" {
			strategy.MaxSurge = "1"
		}
		replicas := rapid.Int32Range(1, 7).Draw(rt, "replicas")
		d := &deployment{
			key: objectKey{"alice", id}, owner: id, replicas: replicas, strategy: strategy, template: newPodTemplate("example/one:1", "", nil),
		}
		func() {
			defer e.Enter()()
			c.addDeployment(d)
			c.schedule(d, 0)
		}()
		e.Advance(5 * time.Second)
		surge, unavailable := d.limits()
		func() {
			defer e.Enter()()
			d.template = newPodTemplate("example/one:1", "changed", nil)
			c.schedule(d, 0)
		}()
		for range 20_000 {
			e.Advance(2 * time.Millisecond)
			_, actual, available := d.totals()
			if d.strategy.Type == kuscia.StrategyRecreate {
				if len(d.sets) == 2 && len(d.sets[0].pods) > 0 && len(d.sets[1].pods) > 0 {
					rt.Fatalf("old and new pods at once")
				}
			} else if actual > replicas+surge || available < replicas-unavailable {
				rt.Fatalf("%d pods, %d available; %d wanted, surge %d, unavailable %d", actual, available, replicas, surge, unavailable)
			}
			whole := deploymentStatus{replicas: replicas, updated: replicas, available: replicas}
			if d.shown == whole && len(d.sets) == 1 && d.sets[0].template.inputConfig == "changed" {
				e.Advance(time.Second)
				if d.shown != whole {
					rt.Errorf("a second later: %+v", d.shown)
				}
				defer e.Enter()()
				c.removeOwned(id)
				return
			}
		}
		rt.Fatalf("does not end: %+v", d.shown)
	})
}
