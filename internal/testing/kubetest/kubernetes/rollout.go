package kubernetes

import (
	"encoding/json"
	"math"
	"time"

	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// Labels and annotations that OpenKruise sets on a Deployment whose pods its
// own controller scales.
const (
	LabelAdvanced      = "rollouts.kruise.io/controlled-by-advanced-deployment-controller"
	AnnotationStrategy = "rollouts.kruise.io/deployment-strategy"
)

// AdvancedStrategy is the strategy of OpenKruise's controller: it limits the
// share of pods with the new template.
type AdvancedStrategy struct {
	RollingStyle  string                        `json:"rollingStyle,omitempty"`
	RollingUpdate *apps.RollingUpdateDeployment `json:"rollingUpdate,omitempty"`
	Paused        bool                          `json:"paused,omitempty"`
	Partition     intstr.IntOrString            `json:"partition"`
}

// bounds are those of a rolling update, also for a Deployment that had another
// strategy.
func (s *AdvancedStrategy) bounds() *apps.RollingUpdateDeployment {
	if s.RollingUpdate != nil {
		return s.RollingUpdate
	}
	quarter := intstr.FromString("25%")
	return &apps.RollingUpdateDeployment{MaxSurge: &quarter, MaxUnavailable: &quarter}
}

// advanced returns the strategy of a Deployment that OpenKruise scales.
func advanced(d *apps.Deployment) *AdvancedStrategy {
	if d.Labels[LabelAdvanced] != "true" {
		return nil
	}
	var strategy AdvancedStrategy
	if json.Unmarshal([]byte(d.Annotations[AnnotationStrategy]), &strategy) != nil {
		return nil
	}
	return &strategy
}

// replicaSetLag is the delay between scaling a ReplicaSet and the update of its
// status.
const replicaSetLag = 70 * time.Millisecond

// sync performs one round of the rollout, and returns the time until the next
// one. strategy is set if OpenKruise scales the Deployment.
func (w *workload) sync(d *apps.Deployment, strategy *AdvancedStrategy, now time.Time, clock *controller.Clock) time.Duration {
	var next time.Duration
	w.setMinReady(d)
	for _, rs := range w.replicaSets {
		after, started := rs.start(now, clock.Scaled(podStart))
		if started {
			w.progressed = now
		}
		next = soonest(next, after)
	}
	for _, rs := range w.replicaSets {
		// An error may have prevented the previous round.
		if rest := replicaSetLag - now.Sub(rs.scaled); rest > 0 {
			next = soonest(next, rest)
		} else {
			rs.reportedCounts = counts{len(rs.pods), rs.ready(), rs.available(now, clock)}
		}
	}
	before := w.pods()
	r := round{w: w, d: d, now: now, clock: clock, replicas: 1}
	if d.Spec.Replicas != nil {
		r.replicas = int(*d.Spec.Replicas)
	}
	switch {
	case strategy != nil && strategy.Paused:
		r.scalePaused()
	case strategy != nil:
		r.roll(ReplicaLimit(strategy.Partition, r.replicas), strategy.bounds())
	case d.Spec.Paused && len(w.active()) > 1:
		r.scaleMixed()
	case d.Spec.Paused:
		r.scalePaused()
	case d.Spec.Strategy.Type == apps.RecreateDeploymentStrategyType:
		r.recreate()
	default:
		r.roll(r.replicas, d.Spec.Strategy.RollingUpdate)
	}
	w.forgetOld(d)
	bounds := d.Spec.Strategy.RollingUpdate
	if strategy != nil {
		bounds = strategy.bounds()
	}
	surge, _ := resolve(bounds, r.replicas)
	w.mostPods = r.replicas + surge
	if w.wasPaused && !d.Spec.Paused {
		w.resumed, w.progressed = true, now
	}
	w.wasPaused = d.Spec.Paused
	if w.pods() != before {
		w.progressed = now
		return replicaSetLag // new pods start now
	}
	if next == 0 && d.Spec.ProgressDeadlineSeconds != nil {
		next = max(clock.Scaled(time.Duration(*d.Spec.ProgressDeadlineSeconds)*time.Second), time.Second) + time.Millisecond
	}
	return next
}

// soonest returns the shorter of two durations, of which 0 means none.
func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

func (w *workload) pods() int {
	n := 0
	for _, rs := range w.replicaSets {
		n = n*31 + len(rs.pods)
	}
	return n
}

// forgetOld removes empty ReplicaSets beyond the revision history limit.
func (w *workload) forgetOld(d *apps.Deployment) {
	limit := 10
	if d.Spec.RevisionHistoryLimit != nil {
		limit = int(*d.Spec.RevisionHistoryLimit)
	}
	newest := w.newest(d)
	for i := 0; i < len(w.replicaSets) && len(w.replicaSets) > limit+1; i++ {
		if rs := w.replicaSets[i]; rs != newest && len(rs.pods) == 0 {
			w.replicaSets = append(w.replicaSets[:i], w.replicaSets[i+1:]...)
			i--
		}
	}
}

// round is one reconciliation of a Deployment.
type round struct {
	w        *workload
	d        *apps.Deployment
	now      time.Time
	clock    *controller.Clock
	replicas int
}

func (r round) old(newest *replicaSet) []*replicaSet {
	var old []*replicaSet
	for _, rs := range r.w.replicaSets {
		if rs != newest {
			old = append(old, rs)
		}
	}
	return old
}

func (r round) available(sets ...*replicaSet) int {
	n := 0
	for _, rs := range sets {
		n += rs.available(r.now, r.clock)
	}
	return n
}

func total(sets ...*replicaSet) int {
	n := 0
	for _, rs := range sets {
		n += len(rs.pods)
	}
	return n
}

// roll advances from the old pods to the given number of new ones, within the
// bounds of a rolling update.
func (r round) roll(desired int, bounds *apps.RollingUpdateDeployment) {
	newest := r.w.makeNewest(r.d)
	old := r.old(newest)
	kept := r.replicas - desired // number of old pods to keep
	if total(old...) == 0 {
		newest.setReplicas(r.replicas, r.now)
		return
	}
	surge, unavailable := resolve(bounds, r.replicas)
	if room := r.replicas + surge - total(r.w.replicaSets...); len(newest.pods) < desired && room > 0 {
		newest.setReplicas(min(desired, len(newest.pods)+room), r.now)
		return // old pods are removed in another round
	}
	if len(newest.pods) > r.replicas {
		newest.setReplicas(r.replicas, r.now)
	}
	least := r.replicas - unavailable
	excess := r.available(r.w.replicaSets...) - least
	// The number of removable pods is the number above the minimum. New pods
	// that are not available yet do not count.
	room := total(r.w.replicaSets...) - least - (len(newest.pods) - r.available(newest))
	for _, rs := range old {
		if room <= 0 {
			break
		}
		useless := min(len(rs.pods)-r.available(rs), room)
		gone := min(useless+max(excess, 0), room, total(old...)-kept, len(rs.pods))
		if gone > 0 {
			excess -= max(gone-useless, 0)
			room -= gone
			rs.setReplicas(len(rs.pods)-gone, r.now)
		}
	}
	if missing := kept - total(old...); missing > 0 {
		last := old[len(old)-1]
		last.setReplicas(len(last.pods)+missing, r.now)
	}
}

// recreate removes all old pods before it creates new ones.
func (r round) recreate() {
	newest := r.w.makeNewest(r.d)
	for _, rs := range r.old(newest) {
		if len(rs.pods) > 0 {
			rs.setReplicas(0, r.now)
		}
	}
	newest.setReplicas(r.replicas, r.now)
}

// scalePaused scales to the number of pods and keeps the proportions.
func (r round) scalePaused() {
	all := total(r.w.replicaSets...)
	if all == 0 {
		// A paused Deployment is not rolled out; pods are added to the existing
		// ReplicaSets.
		if newest := r.w.newest(r.d); newest != nil {
			newest.setReplicas(r.replicas, r.now)
		}
		return
	}
	surge := 0
	if all > r.replicas {
		surge, _ = resolve(r.d.Spec.Strategy.RollingUpdate, r.replicas)
	}
	if all == r.replicas || (all > r.replicas && all <= r.replicas+surge) {
		return
	}
	left := r.replicas
	for i, rs := range r.w.replicaSets {
		n := int(math.Round(float64(len(rs.pods)) * float64(r.replicas) / float64(all)))
		if i == len(r.w.replicaSets)-1 && len(rs.pods) > 0 {
			n = left
		}
		n = min(n, left)
		left -= n
		rs.setReplicas(n, r.now)
	}
}

// ReplicaLimit returns the number of new pods that OpenKruise's controller allows: a
// percentage is rounded up, but one below 100% leaves at least one of several old pods
// (NewRSReplicasLimit).
func ReplicaLimit(partition intstr.IntOrString, replicas int) int {
	limit := share(&partition, replicas, true)
	if replicas > 1 && partition.Type == intstr.String && partition.StrVal != "100%" {
		return min(limit, replicas-1)
	}
	return min(limit, replicas)
}

// resolve returns the bounds of a rolling update as numbers.
func resolve(bounds *apps.RollingUpdateDeployment, replicas int) (surge, unavailable int) {
	if bounds == nil {
		return 0, 1
	}
	surge, unavailable = share(bounds.MaxSurge, replicas, true), share(bounds.MaxUnavailable, replicas, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

func share(value *intstr.IntOrString, of int, up bool) int {
	if value == nil {
		return 0
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(value, of, up)
	if err != nil {
		return 0
	}
	return min(max(n, 0), max(of, n))
}
