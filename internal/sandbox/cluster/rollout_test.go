package cluster

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
)

// TestRolloutKeepsItsLimits: with any strategy, there are never fewer available
// pods or more pods than it allows, and in the end all desired pods run.
func TestRolloutKeepsItsLimits(t *testing.T) {
	e := engine.New(true, 0)
	c := New(e, RealTiming(), func(string) time.Time { return time.Time{} }, func(string) {})
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
		d := &Deployment{
			Key: Key{"alice", id}, Owner: id, Replicas: replicas, Strategy: strategy, Template: NewPodTemplate("example/one:1", "", nil),
		}
		func() {
			defer e.Acquire()()
			c.AddDeployment(d)
			c.Schedule(d, 0)
		}()
		e.Advance(5 * time.Second)
		surge, unavailable := d.limits()
		func() {
			defer e.Acquire()()
			d.Template = NewPodTemplate("example/one:1", "changed", nil)
			c.Schedule(d, 0)
		}()
		for range 20_000 {
			e.Advance(2 * time.Millisecond)
			_, actual, available := d.totals()
			if d.Strategy.Type == kuscia.StrategyRecreate {
				if len(d.Sets) == 2 && len(d.Sets[0].Pods) > 0 && len(d.Sets[1].Pods) > 0 {
					rt.Fatalf("old and new pods at once")
				}
			} else if actual > replicas+surge || available < replicas-unavailable {
				rt.Fatalf("%d pods, %d available; %d wanted, surge %d, unavailable %d", actual, available, replicas, surge, unavailable)
			}
			whole := deploymentStatus{Replicas: replicas, Updated: replicas, Available: replicas}
			if d.Shown == whole && len(d.Sets) == 1 && d.Sets[0].Template.InputConfig == "changed" {
				e.Advance(time.Second)
				if d.Shown != whole {
					rt.Errorf("a second later: %+v", d.Shown)
				}
				defer e.Acquire()()
				c.RemoveOwned(id)
				return
			}
		}
		rt.Fatalf("does not end: %+v", d.Shown)
	})
}
