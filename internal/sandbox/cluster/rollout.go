package cluster

import (
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ReplicaSet has the pods of one template of a Deployment.
type ReplicaSet struct {
	Template PodTemplate
	desired  int32
	Pods     []*pod
	podsAt   time.Time // when pods are created or removed next
}

// pod becomes ready at a time, or never.
type pod struct {
	ready        bool
	pullFailedAt time.Time // when pulling its image failed; zero if the image exists
}

// Available is the number of ready pods.
func (s *ReplicaSet) Available() int32 {
	var ready int32
	for _, p := range s.Pods {
		if p.ready {
			ready++
		}
	}
	return ready
}

// Schedule schedules a sync of the Deployment after delay.
func (c *Cluster) Schedule(d *Deployment, delay time.Duration) {
	at := c.Now().Add(delay)
	if !d.syncAt.IsZero() && !d.syncAt.After(at) {
		return
	}
	d.syncAt = at
	c.After(delay, func() {
		if c.Deployments[d.Key] == d && d.syncAt.Equal(at) {
			d.syncAt = time.Time{}
			if until := c.lagUntil(d.Owner); until.After(c.Now()) {
				c.Schedule(d, until.Sub(c.Now()))
				return
			}
			c.syncDeployment(d)
		}
	})
}

// syncDeployment is one pass of the Deployment controller: it scales at most
// one set, then writes the status.
func (c *Cluster) syncDeployment(d *Deployment) {
	current := d.CurrentSet()
	switch {
	case d.Paused && current == nil:
		// The new template waits; scaling the old set still works.
		if len(d.Sets) > 0 {
			c.scale(d, d.Sets[len(d.Sets)-1], d.Replicas)
		}
	case d.Strategy.Type == kuscia.StrategyRecreate:
		c.recreate(d)
	default:
		c.rollingUpdate(d)
	}
	d.forgetEmptySets()
	if shown := d.status(); shown != d.Shown {
		d.Shown = shown
		c.changed(d.Owner)
	}
}

// CurrentSet is the ReplicaSet of the current template, nil if there is none.
func (d *Deployment) CurrentSet() *ReplicaSet {
	hash := d.Template.Hash
	for _, set := range d.Sets {
		if set.Template.Hash == hash {
			return set
		}
	}
	return nil
}

// makeCurrent returns the set of the current template, creates it if necessary,
// and moves it to the end of the list.
func (d *Deployment) makeCurrent() *ReplicaSet {
	current := d.CurrentSet()
	if current == nil {
		current = &ReplicaSet{Template: d.Template}
	}
	sets := make([]*ReplicaSet, 0, len(d.Sets)+1)
	for _, set := range d.Sets {
		if set != current {
			sets = append(sets, set)
		}
	}
	sets = append(sets, current)
	d.Sets = sets
	return current
}

func (d *Deployment) forgetEmptySets() {
	hash := d.Template.Hash
	sets := d.Sets[:0:0]
	for _, set := range d.Sets {
		if set.Template.Hash == hash || set.desired > 0 || len(set.Pods) > 0 {
			sets = append(sets, set)
		}
	}
	d.Sets = sets
}

func (d *Deployment) totals() (desired, actual, available int32) {
	for _, set := range d.Sets {
		desired += set.desired
		actual += int32(len(set.Pods))
		available += set.Available()
	}
	return desired, actual, available
}

func (d *Deployment) status() deploymentStatus {
	desired, actual, available := d.totals()
	status := deploymentStatus{Replicas: actual, Available: available, Unavailable: max(desired-available, 0)}
	if current := d.CurrentSet(); current != nil {
		status.Updated = int32(len(current.Pods))
	}
	return status
}

func (c *Cluster) recreate(d *Deployment) {
	hash := d.Template.Hash
	for _, set := range d.Sets {
		if set.Template.Hash != hash && set.desired > 0 {
			c.scale(d, set, 0)
			return
		}
	}
	for _, set := range d.Sets {
		if set.Template.Hash != hash && len(set.Pods) > 0 {
			return // they are still being removed
		}
	}
	c.scale(d, d.makeCurrent(), d.Replicas)
}

// limits are max_surge and max_unavailable as numbers; if both are zero, one
// pod may be unavailable.
func (d *Deployment) limits() (surge, unavailable int32) {
	number := func(text string, roundUp bool) int32 {
		limit := intstr.Parse(text)
		value, err := intstr.GetScaledValueFromIntOrPercent(&limit, int(d.Replicas), roundUp)
		if err != nil {
			return 0
		}
		return int32(value)
	}
	surge = number(d.Strategy.MaxSurge, true)
	unavailable = min(number(d.Strategy.MaxUnavailable, false), d.Replicas)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

func (c *Cluster) rollingUpdate(d *Deployment) {
	current := d.makeCurrent()
	surge, maxUnavailable := d.limits()
	desired, _, available := d.totals()

	if current.desired > d.Replicas {
		c.scale(d, current, d.Replicas)
		return
	}
	if current.desired < d.Replicas {
		if room := d.Replicas + surge - desired; room > 0 {
			c.scale(d, current, min(current.desired+room, d.Replicas))
			return
		}
	}
	minAvailable := d.Replicas - maxUnavailable
	removable := desired - minAvailable - (current.desired - current.Available())
	if removable <= 0 {
		return
	}
	// First old pods that do not run, then running ones above the minimum.
	for _, set := range d.Sets {
		if set == current || set.desired == 0 {
			continue
		}
		if unhealthy := min(set.desired-set.Available(), removable); unhealthy > 0 {
			c.scale(d, set, set.desired-unhealthy)
			return
		}
	}
	spare := available - minAvailable
	for _, set := range d.Sets {
		if set == current || set.desired == 0 || spare <= 0 {
			continue
		}
		remove := min(set.desired, spare)
		c.scale(d, set, set.desired-remove)
		spare -= remove
	}
}

// podSteps is the number of steps to create pods; removing them takes one.
const podSteps = 3

// scale changes the desired number of a set. Its pods follow later, and the
// next pass over the Deployment does not wait for them.
func (c *Cluster) scale(d *Deployment, set *ReplicaSet, desired int32) {
	if set.desired == desired {
		return
	}
	delay := c.timing.Step
	if desired > set.desired {
		delay *= podSteps
	}
	set.desired = desired
	c.Schedule(d, c.timing.Step)
	at := c.Now().Add(delay)
	set.podsAt = at
	c.After(delay, func() {
		if c.Deployments[d.Key] == d && set.podsAt.Equal(at) {
			c.syncPods(d, set)
		}
	})
}

// syncPods creates or removes pods of a set until it has the desired number;
// pods that are not ready are removed first.
func (c *Cluster) syncPods(d *Deployment, set *ReplicaSet) {
	for int32(len(set.Pods)) < set.desired {
		c.startPod(d, set)
	}
	if surplus := len(set.Pods) - int(set.desired); surplus > 0 {
		var ready, starting []*pod
		for _, p := range set.Pods {
			if p.ready {
				ready = append(ready, p)
			} else {
				starting = append(starting, p)
			}
		}
		set.Pods = append(ready, starting...)[:set.desired]
	}
	c.Schedule(d, 0)
}

func (c *Cluster) startPod(d *Deployment, set *ReplicaSet) {
	p := &pod{}
	set.Pods = append(set.Pods, p)
	c.After(c.timing.Start, func() {
		if c.Deployments[d.Key] != d {
			return
		}
		if set.Template.neverStarts() {
			p.pullFailedAt = c.Now()
			c.changed(d.Owner)
			return
		}
		p.ready = true
		c.Schedule(d, 0)
	})
}
