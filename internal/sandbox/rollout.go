package sandbox

import (
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// replicaSet is the pods of one template of a Deployment.
type replicaSet struct {
	template podTemplate
	wanted   int32
	pods     []*pod
	podsAt   time.Time // when pods are made or removed next
}

// pod becomes ready at a time, or never.
type pod struct {
	ready        bool
	pullFailedAt time.Time // when its image turned out not to exist; zero if it does
}

func (s *replicaSet) available() int32 {
	var ready int32
	for _, p := range s.pods {
		if p.ready {
			ready++
		}
	}
	return ready
}

// schedule asks for a sync of the Deployment after delay.
func (c *Cluster) schedule(d *deployment, delay time.Duration) {
	at := c.Now().Add(delay)
	if !d.syncAt.IsZero() && !d.syncAt.After(at) {
		return
	}
	d.syncAt = at
	c.After(delay, func() {
		if c.deployments[d.key] == d && d.syncAt.Equal(at) {
			d.syncAt = time.Time{}
			if until := c.lagUntil(d.owner); until.After(c.Now()) {
				c.schedule(d, until.Sub(c.Now()))
				return
			}
			c.syncDeployment(d)
		}
	})
}

// syncDeployment is one pass of the Deployment controller: at most one scaling
// up or down, then the status.
func (c *Cluster) syncDeployment(d *deployment) {
	current := d.currentSet()
	switch {
	case d.paused && current == nil:
		// The new template waits; scaling the old one still works.
		if len(d.sets) > 0 {
			c.scale(d, d.sets[len(d.sets)-1], d.replicas)
		}
	case d.strategy.Type == kuscia.StrategyRecreate:
		c.recreate(d)
	default:
		c.rollingUpdate(d)
	}
	d.forgetEmptySets()
	if shown := d.status(); shown != d.shown {
		d.shown = shown
		c.changed(d.owner)
	}
}

func (d *deployment) currentSet() *replicaSet {
	hash := d.template.hash
	for _, set := range d.sets {
		if set.template.hash == hash {
			return set
		}
	}
	return nil
}

// makeCurrent returns the set of the present template, made if needed, and
// moves it to the end of the list.
func (d *deployment) makeCurrent() *replicaSet {
	current := d.currentSet()
	if current == nil {
		current = &replicaSet{template: d.template}
	}
	sets := make([]*replicaSet, 0, len(d.sets)+1)
	for _, set := range d.sets {
		if set != current {
			sets = append(sets, set)
		}
	}
	sets = append(sets, current)
	d.sets = sets
	return current
}

func (d *deployment) forgetEmptySets() {
	hash := d.template.hash
	sets := d.sets[:0:0]
	for _, set := range d.sets {
		if set.template.hash == hash || set.wanted > 0 || len(set.pods) > 0 {
			sets = append(sets, set)
		}
	}
	d.sets = sets
}

func (d *deployment) totals() (wanted, actual, available int32) {
	for _, set := range d.sets {
		wanted += set.wanted
		actual += int32(len(set.pods))
		available += set.available()
	}
	return wanted, actual, available
}

func (d *deployment) status() deploymentStatus {
	wanted, actual, available := d.totals()
	status := deploymentStatus{replicas: actual, available: available, unavailable: max(wanted-available, 0)}
	if current := d.currentSet(); current != nil {
		status.updated = int32(len(current.pods))
	}
	return status
}

func (c *Cluster) recreate(d *deployment) {
	hash := d.template.hash
	for _, set := range d.sets {
		if set.template.hash != hash && set.wanted > 0 {
			c.scale(d, set, 0)
			return
		}
	}
	for _, set := range d.sets {
		if set.template.hash != hash && len(set.pods) > 0 {
			return // they are still on their way out
		}
	}
	c.scale(d, d.makeCurrent(), d.replicas)
}

// limits are max_surge and max_unavailable as numbers; when both come out as
// zero one pod may be missing.
func (d *deployment) limits() (surge, unavailable int32) {
	number := func(text string, roundUp bool) int32 {
		limit := intstr.Parse(text)
		value, err := intstr.GetScaledValueFromIntOrPercent(&limit, int(d.replicas), roundUp)
		if err != nil {
			return 0
		}
		return int32(value)
	}
	surge = number(d.strategy.MaxSurge, true)
	unavailable = min(number(d.strategy.MaxUnavailable, false), d.replicas)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

func (c *Cluster) rollingUpdate(d *deployment) {
	current := d.makeCurrent()
	surge, maxUnavailable := d.limits()
	wanted, _, available := d.totals()

	if current.wanted > d.replicas {
		c.scale(d, current, d.replicas)
		return
	}
	if current.wanted < d.replicas {
		if room := d.replicas + surge - wanted; room > 0 {
			c.scale(d, current, min(current.wanted+room, d.replicas))
			return
		}
	}
	minAvailable := d.replicas - maxUnavailable
	removable := wanted - minAvailable - (current.wanted - current.available())
	if removable <= 0 {
		return
	}
	// First old pods that do not run, then running ones that can be spared.
	for _, set := range d.sets {
		if set == current || set.wanted == 0 {
			continue
		}
		if unhealthy := min(set.wanted-set.available(), removable); unhealthy > 0 {
			c.scale(d, set, set.wanted-unhealthy)
			return
		}
	}
	spare := available - minAvailable
	for _, set := range d.sets {
		if set == current || set.wanted == 0 || spare <= 0 {
			continue
		}
		remove := min(set.wanted, spare)
		c.scale(d, set, set.wanted-remove)
		spare -= remove
	}
}

// podSteps is how many steps it takes to make pods; removing them takes one.
const podSteps = 3

// scale changes the wanted number of a set. Its pods follow later, and the
// next pass over the Deployment does not wait for them.
func (c *Cluster) scale(d *deployment, set *replicaSet, wanted int32) {
	if set.wanted == wanted {
		return
	}
	delay := c.timing.Step
	if wanted > set.wanted {
		delay *= podSteps
	}
	set.wanted = wanted
	c.schedule(d, c.timing.Step)
	at := c.Now().Add(delay)
	set.podsAt = at
	c.After(delay, func() {
		if c.deployments[d.key] == d && set.podsAt.Equal(at) {
			c.syncPods(d, set)
		}
	})
}

// syncPods makes or removes pods of a set until there are as many as wanted;
// those that are not ready go first.
func (c *Cluster) syncPods(d *deployment, set *replicaSet) {
	for int32(len(set.pods)) < set.wanted {
		c.startPod(d, set)
	}
	if surplus := len(set.pods) - int(set.wanted); surplus > 0 {
		var ready, starting []*pod
		for _, p := range set.pods {
			if p.ready {
				ready = append(ready, p)
			} else {
				starting = append(starting, p)
			}
		}
		set.pods = append(ready, starting...)[:set.wanted]
	}
	c.schedule(d, 0)
}

func (c *Cluster) startPod(d *deployment, set *replicaSet) {
	p := &pod{}
	set.pods = append(set.pods, p)
	c.After(c.timing.Start, func() {
		if c.deployments[d.key] != d {
			return
		}
		if set.template.neverStarts() {
			p.pullFailedAt = c.Now()
			c.changed(d.owner)
			return
		}
		p.ready = true
		c.schedule(d, 0)
	})
}
