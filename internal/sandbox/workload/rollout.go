package workload

import (
	"cmp"
	"math"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// pass is one pass of the Deployment controller.
type pass struct {
	*Deployment
	now    time.Time
	timing Timing
}

// Roll is one pass of the Deployment controller, and of OpenKruise's for a Deployment
// that it scales: it scales ReplicaSets, then updates the status. It returns when it
// has to be called again, unless RunPods returns an earlier time; zero means never.
func Roll(d *Deployment, now time.Time, t Timing) (next time.Time) {
	p := pass{d, now, t}
	p.setMinReady()
	before := d.desired()
	paused := d.Paused
	if d.Partition != nil {
		paused = d.Partition.Paused
	}
	switch {
	case paused && len(d.Running()) <= 1:
		p.scaleOne()
	case paused && d.Partition != nil:
		p.scaleInProportion()
	case paused:
		p.scaleMixed()
	case d.Partition != nil:
		p.roll(ReplicaLimit(d.Partition.Limit, d.Replicas))
	case d.Recreate:
		p.recreate()
	default:
		p.roll(d.Replicas)
	}
	d.forgetOld()
	surge, _ := d.limits()
	d.mostPods = d.Replicas + surge
	if d.wasPaused && !d.Paused {
		d.resumed, d.progressed = true, now
	}
	d.wasPaused = d.Paused
	if !slices.Equal(d.desired(), before) {
		d.progressed = now
		next = now.Add(t.Step)
	}
	for _, set := range d.Sets {
		if len(set.Pods) != set.Desired {
			next = soonest(next, set.podsAt)
		}
	}
	p.report()
	return soonest(next, p.deadline())
}

// Restore makes all pods of a new Deployment start at once.
func Restore(d *Deployment, now time.Time, t Timing, starter Starter) {
	p := pass{d, now, t}
	set := p.makeCurrent()
	set.Desired = d.Replicas
	t.Start = 0
	d.follow(set, now, t)
	for _, pod := range set.Pods {
		kubelet{d, set, now, t, starter}.sync(pod)
	}
	p.report()
}

// report updates the status of the ReplicaSets, which lag behind their pods, and that
// of the Deployment.
func (p pass) report() {
	for _, set := range p.Sets {
		if !set.changed.Add(p.timing.Report).After(p.now) {
			set.reported = counts{len(set.Pods), set.Ready(), set.available(p.now, p.timing)}
		}
	}
	p.Status = p.status()
}

// makeCurrent returns the set of the template, creates it if necessary, and gives it
// the next revision.
func (p pass) makeCurrent() *ReplicaSet {
	set := p.Current()
	if set == nil {
		set = &ReplicaSet{Name: p.Name + "-" + p.Template.Hash, Template: p.Template, MinReady: p.MinReady}
		p.Sets = append(p.Sets, set)
		p.progressed, p.created = p.now, true
	}
	if set.Revision != p.Revisions || set.Revision == 0 {
		p.Revisions++
		set.Revision = p.Revisions
	}
	return set
}

// setMinReady sets minReadySeconds of the ReplicaSets. Kubernetes changes only that of
// the current one; for a blue-green release Kruise raises that of the old one too.
func (p pass) setMinReady() {
	current := p.Current()
	for _, set := range p.Sets {
		if set == current || set.MinReady < p.MinReady {
			set.MinReady = p.MinReady
		}
	}
}

// scale changes the desired number of a set. Its pods follow later, and the next pass
// does not wait for them.
func (p pass) scale(set *ReplicaSet, desired int) {
	if set.Desired == desired {
		return
	}
	delay := p.timing.Create
	if desired < set.Desired {
		delay = p.timing.Remove
	}
	set.Desired, set.podsAt = desired, p.now.Add(delay)
	if delay == 0 {
		p.follow(set, p.now, p.timing)
	}
}

func (d *Deployment) desired() []int {
	numbers := make([]int, len(d.Sets))
	for i, set := range d.Sets {
		numbers[i] = set.Desired
	}
	return numbers
}

func total(sets ...*ReplicaSet) int {
	n := 0
	for _, set := range sets {
		n += set.Desired
	}
	return n
}

func (p pass) available(sets ...*ReplicaSet) int {
	n := 0
	for _, set := range sets {
		n += set.available(p.now, p.timing)
	}
	return n
}

func (p pass) old(current *ReplicaSet) []*ReplicaSet {
	var old []*ReplicaSet
	for _, set := range p.Sets {
		if set != current {
			old = append(old, set)
		}
	}
	return old
}

// forgetOld removes empty sets beyond the limit of the history.
func (d *Deployment) forgetOld() {
	current := d.Current()
	for i := 0; i < len(d.Sets) && len(d.Sets) > d.HistoryLimit+1; i++ {
		if set := d.Sets[i]; set != current && set.Desired == 0 && len(set.Pods) == 0 {
			d.Sets = slices.Delete(d.Sets, i, i+1)
			i--
		}
	}
}

// roll advances from the old pods to the given number of new ones, within the bounds
// of a rolling update. In one pass either new pods are added or old ones removed.
func (p pass) roll(limit int) {
	current := p.makeCurrent()
	old := p.old(current)
	if total(old...) == 0 {
		limit = p.Replicas
	}
	surge, unavailable := p.limits()
	if room := p.Replicas + surge - total(p.Sets...); current.Desired < limit && room > 0 {
		p.scale(current, min(limit, current.Desired+room))
		return
	}
	if current.Desired > p.Replicas {
		p.scale(current, p.Replicas)
	}
	kept := p.Replicas - limit // number of old pods to keep
	p.removeOld(current, old, kept, p.Replicas-unavailable)
	if missing := kept - total(old...); missing > 0 {
		last := old[len(old)-1]
		p.scale(last, last.Desired+missing)
	}
}

// removeOld removes old pods: first those that do not run, then running ones above the
// minimum. New pods that are not available yet do not count.
func (p pass) removeOld(current *ReplicaSet, old []*ReplicaSet, kept, least int) {
	room := min(total(p.Sets...)-least-(current.Desired-p.available(current)), total(old...)-kept)
	for _, set := range old {
		if useless := min(set.Desired-p.available(set), room); useless > 0 {
			p.scale(set, set.Desired-useless)
			room -= useless
		}
	}
	spare := min(p.available(p.Sets...)-least, room)
	for _, set := range old {
		if gone := min(spare, set.Desired); gone > 0 {
			p.scale(set, set.Desired-gone)
			spare -= gone
		}
	}
}

// recreate removes all old pods before it creates new ones.
func (p pass) recreate() {
	current, left := p.Current(), 0
	for _, set := range p.old(current) {
		p.scale(set, 0)
		left += len(set.Pods)
	}
	if left == 0 {
		p.scale(p.makeCurrent(), p.Replicas)
	}
}

// scaleOne scales the only running set of a paused Deployment. If none runs, it is the
// current or else the newest one (FindActiveOrLatest of Kubernetes).
func (p pass) scaleOne() {
	set := p.Current()
	if running := p.Running(); len(running) > 0 {
		set = running[0]
	} else if set == nil && len(p.Sets) > 0 {
		set = p.Sets[len(p.Sets)-1]
	}
	if set != nil {
		p.scale(set, p.Replicas)
	}
}

// scaleInProportion scales a paused Deployment to its number of pods and keeps the
// proportions. It is not rolled out: pods are added to the existing sets.
func (p pass) scaleInProportion() {
	all, surge := total(p.Sets...), 0
	if all > p.Replicas {
		surge, _ = resolve(p.Bounds, p.Replicas)
	}
	if all == p.Replicas || (all > p.Replicas && all <= p.Replicas+surge) {
		return
	}
	left := p.Replicas
	for i, set := range p.Sets {
		n := int(math.Round(float64(set.Desired) * float64(p.Replicas) / float64(all)))
		if i == len(p.Sets)-1 && set.Desired > 0 {
			n = left
		}
		n = min(n, left)
		left -= n
		p.scale(set, n)
	}
}

// scaleMixed scales a paused Deployment that has pods of several versions, as
// DeploymentController.scale of Kubernetes: old pods go when enough new ones run.
// Otherwise a rolling update has as many pods as its surge allows, distributed in
// proportion to the size of the sets, and the rest to the largest.
func (p pass) scaleMixed() {
	running, current := p.Running(), p.Current()
	if current != nil && current.Desired == p.Replicas && p.available(current) == p.Replicas {
		for _, set := range p.old(current) {
			p.scale(set, 0)
		}
		return
	}
	if p.Recreate {
		return
	}
	allowed := 0
	if surge, _ := resolve(p.Bounds, p.Replicas); p.Replicas > 0 {
		allowed = p.Replicas + surge
	}
	missing := allowed - total(running...)
	if missing == 0 {
		return
	}
	slices.SortStableFunc(running, func(a, b *ReplicaSet) int {
		if bySize := cmp.Compare(b.Desired, a.Desired); bySize != 0 || missing < 0 {
			return bySize
		}
		return cmp.Compare(b.Revision, a.Revision)
	})
	sizes, added := make([]int, len(running)), 0
	for i, set := range running {
		part := p.proportion(set, allowed, missing, added)
		sizes[i], added = set.Desired+part, added+part
	}
	sizes[0] = max(sizes[0]+missing-added, 0)
	for i, set := range running {
		p.scale(set, sizes[i])
	}
}

// proportion returns the share of a set in the pods to add, or to remove if that is
// negative. added are those of the sets before it.
func (p pass) proportion(set *ReplicaSet, allowed, missing, added int) int {
	before := p.mostPods
	if before == 0 {
		before = total(p.Sets...)
	}
	part := int(math.Round(float64(set.Desired*allowed)/float64(before))) - set.Desired
	if missing > 0 {
		return min(part, missing-added)
	}
	return max(part, missing-added)
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

// limits are the bounds that apply, as numbers.
func (d *Deployment) limits() (surge, unavailable int) {
	if d.Partition == nil {
		return resolve(d.Bounds, d.Replicas)
	}
	bounds := d.Partition.Bounds
	if bounds == nil {
		// Those of a rolling update, also for a Deployment that had another strategy.
		quarter := intstr.FromString("25%")
		bounds = &objects.Bounds{MaxSurge: &quarter, MaxUnavailable: &quarter}
	}
	return resolve(bounds, d.Replicas)
}

// resolve returns the bounds as numbers; if both are zero, one pod may be unavailable.
func resolve(b *objects.Bounds, replicas int) (surge, unavailable int) {
	if b == nil {
		return 0, 1
	}
	surge, unavailable = share(b.MaxSurge, replicas, true), min(share(b.MaxUnavailable, replicas, false), replicas)
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
	return max(n, 0)
}
