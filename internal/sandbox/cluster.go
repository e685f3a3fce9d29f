package sandbox

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Cluster is the part of Kubernetes that servings are made of.
type Cluster struct {
	*Engine
	timing      Timing
	deployments map[objectKey]*deployment
	services    map[objectKey]*service
	byOwner     map[objectKey][]*service // services by the Deployment they lead to
	owned       map[string]*belongings   // by the id of who owns them
	// lagUntil is until when the controllers leave what somebody owns alone.
	lagUntil func(owner string) time.Time
	// changed hears of each change of a status, by the owner of the Deployment.
	changed func(owner string)
}

// NewCluster makes an empty cluster. Its controllers leave alone what an owner
// has until lagUntil, and tell changed of each change of a status.
func NewCluster(e *Engine, timing Timing, lagUntil func(owner string) time.Time, changed func(owner string)) *Cluster {
	return &Cluster{
		Engine: e, timing: timing, lagUntil: lagUntil, changed: changed,
		deployments: map[objectKey]*deployment{},
		services:    map[objectKey]*service{},
		byOwner:     map[objectKey][]*service{},
		owned:       map[string]*belongings{},
	}
}

// belongings are the objects of an owner.
type belongings struct {
	services    []objectKey
	deployments []objectKey
}

func (c *Cluster) ownedBy(id string) *belongings {
	owned := c.owned[id]
	if owned == nil {
		owned = &belongings{}
		c.owned[id] = owned
	}
	return owned
}

// Owners are the ids of all that own anything.
func (c *Cluster) Owners() []string { return slices.Collect(maps.Keys(c.owned)) }

// Objects is how many objects there are, with what is kept about them.
func (c *Cluster) Objects() int {
	return len(c.deployments) + len(c.services) + len(c.byOwner) + len(c.owned)
}

// addService stores a new Service.
func (c *Cluster) addService(svc *service) {
	c.services[svc.key] = svc
	c.byOwner[svc.leadsTo] = append(c.byOwner[svc.leadsTo], svc)
	slices.SortFunc(c.byOwner[svc.leadsTo], func(a, b *service) int { return strings.Compare(a.key.name, b.key.name) })
	owned := c.ownedBy(svc.owner)
	owned.services = append(owned.services, svc.key)
}

// addDeployment stores a new Deployment.
func (c *Cluster) addDeployment(d *deployment) {
	c.deployments[d.key] = d
	owned := c.ownedBy(d.owner)
	owned.deployments = append(owned.deployments, d.key)
}

// removeOwned removes all that somebody owns and returns the Services of it.
func (c *Cluster) removeOwned(id string) (services []*service) {
	owned := c.ownedBy(id)
	delete(c.owned, id)
	for _, key := range owned.services {
		svc := c.services[key]
		delete(c.services, key)
		rest := slices.DeleteFunc(c.byOwner[svc.leadsTo], func(other *service) bool { return other == svc })
		if len(rest) == 0 {
			delete(c.byOwner, svc.leadsTo)
		} else {
			c.byOwner[svc.leadsTo] = rest
		}
		services = append(services, svc)
	}
	for _, key := range owned.deployments {
		delete(c.deployments, key)
	}
	return services
}

// restoreDeployment stores a Deployment with all its pods running.
func (c *Cluster) restoreDeployment(d *deployment) {
	set := d.makeCurrent()
	set.wanted = d.replicas
	for range d.replicas {
		if d.template.neverStarts() {
			c.startPod(d, set)
		} else {
			set.pods = append(set.pods, &pod{ready: true})
		}
	}
	d.shown = d.status()
	c.addDeployment(d)
}
