package workload

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// timings are those of the two stores.
var timings = map[string]Timing{
	"memory":     {Step: 10 * time.Millisecond, Create: 30 * time.Millisecond, Remove: 10 * time.Millisecond, Start: time.Second, Second: time.Second},
	"API server": {Step: 70 * time.Millisecond, Report: 70 * time.Millisecond, Start: 50 * time.Millisecond, Second: 50 * time.Millisecond},
}

// run advances a Deployment until its controllers have nothing to do, or until done.
func run(d *Deployment, now time.Time, t Timing, done func(now time.Time) bool) time.Time {
	for range 10_000 {
		next := soonest(RunPods(d, now, t, runs{}), Roll(d, now, t))
		if done(now) || next.IsZero() {
			return now
		}
		if next.After(now) {
			now = next
		}
	}
	return time.Time{}
}

func never(time.Time) bool { return false }

func template(hash string) Template {
	return Template{Hash: hash, Pod: objects.PodTemplate{Spec: objects.PodSpec{Containers: []objects.PodContainer{{Name: "main", Image: "example/one:1"}}}}}
}

// runs is an application that always runs.
type runs struct{}

func (runs) Start(string, *objects.PodTemplate, int) Outcome { return Outcome{} }

func bounds(surge, unavailable string) *objects.Bounds {
	most, missing := intstr.Parse(surge), intstr.Parse(unavailable)
	return &objects.Bounds{MaxSurge: &most, MaxUnavailable: &missing}
}

// TestRolloutKeepsItsLimits: with any strategy, there are never fewer available
// pods or more pods than it allows, and in the end all desired pods run.
func TestRolloutKeepsItsLimits(t *testing.T) {
	for name, timing := range timings {
		t.Run(name, func(t *testing.T) { rapid.Check(t, func(rt *rapid.T) { keepsItsLimits(rt, timing) }) })
	}
}

func keepsItsLimits(rt *rapid.T, timing Timing) {
	limit := rapid.SampledFrom([]string{"0", "1", "2", "25%", "50%", "100%"})
	d := &Deployment{Spec: Spec{
		Name: "d", Replicas: rapid.IntRange(1, 7).Draw(rt, "replicas"), Recreate: rapid.Bool().Draw(rt, "recreate"),
		Bounds: bounds(limit.Draw(rt, "surge"), limit.Draw(rt, "unavailable")), Template: template("old"),
		Deadline: DefaultDeadline, HistoryLimit: DefaultHistoryLimit,
	}}
	now := run(d, time.Unix(0, 0), timing, never)
	d.Template = template("new")
	surge, unavailable := d.limits()
	now = run(d, now, timing, func(time.Time) bool {
		pods, available := d.PodCount(), 0
		for _, set := range d.Sets {
			available += set.Ready()
		}
		switch {
		case d.Recreate && len(d.Sets) == 2 && len(d.Sets[0].Pods) > 0 && len(d.Sets[1].Pods) > 0:
			rt.Fatalf("old and new pods at once")
		case !d.Recreate && (pods > d.Replicas+surge || available < d.Replicas-unavailable):
			rt.Fatalf("%d pods, %d available; %d wanted, surge %d, unavailable %d", pods, available, d.Replicas, surge, unavailable)
		}
		return false
	})
	n := int32(d.Replicas)
	whole := objects.DeploymentStatus{Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n, Conditions: d.Status.Conditions}
	if !d.Status.Equal(whole) || len(d.Current().Pods) != d.Replicas {
		rt.Errorf("at %s: %+v", now, d.Status)
	}
}
