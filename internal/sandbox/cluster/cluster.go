package cluster

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
)

// Cluster is the part of Kubernetes that servings use.
type Cluster struct {
	*engine.Engine
	timing      Timing
	Deployments map[Key]*Deployment
	Services    map[Key]*Service
	ByOwner     map[Key][]*Service       // Services by the Deployment that they select
	owned       map[string]*OwnedObjects // by the id of the owner
	// lagUntil is the time until which the controllers ignore the objects of an
	// owner.
	lagUntil func(owner string) time.Time
	// changed is called on each change of a status, with the owner of the
	// Deployment.
	changed func(owner string)
}

// New returns an empty cluster. Its controllers ignore the objects of an owner
// until lagUntil, and call changed on each change of a status.
func New(e *engine.Engine, timing Timing, lagUntil func(owner string) time.Time, changed func(owner string)) *Cluster {
	return &Cluster{
		Engine: e, timing: timing, lagUntil: lagUntil, changed: changed,
		Deployments: map[Key]*Deployment{},
		Services:    map[Key]*Service{},
		ByOwner:     map[Key][]*Service{},
		owned:       map[string]*OwnedObjects{},
	}
}

// OwnedObjects are the objects of an owner.
type OwnedObjects struct {
	services    []Key
	Deployments []Key
}

// OwnedBy returns the objects of an owner, for additions.
func (c *Cluster) OwnedBy(id string) *OwnedObjects {
	owned := c.owned[id]
	if owned == nil {
		owned = &OwnedObjects{}
		c.owned[id] = owned
	}
	return owned
}

// Owners are the ids of all owners.
func (c *Cluster) Owners() []string { return slices.Collect(maps.Keys(c.owned)) }

// Objects is the number of objects, including internal ones.
func (c *Cluster) Objects() int {
	return len(c.Deployments) + len(c.Services) + len(c.ByOwner) + len(c.owned)
}

// AddService stores a new Service.
func (c *Cluster) AddService(svc *Service) {
	c.Services[svc.Key] = svc
	c.ByOwner[svc.Deployment] = append(c.ByOwner[svc.Deployment], svc)
	slices.SortFunc(c.ByOwner[svc.Deployment], func(a, b *Service) int { return strings.Compare(a.Key.Name, b.Key.Name) })
	owned := c.OwnedBy(svc.Owner)
	owned.services = append(owned.services, svc.Key)
}

// AddDeployment stores a new Deployment.
func (c *Cluster) AddDeployment(d *Deployment) {
	c.Deployments[d.Key] = d
	owned := c.OwnedBy(d.Owner)
	owned.Deployments = append(owned.Deployments, d.Key)
}

// RemoveOwned removes all objects of an owner and returns its Services.
func (c *Cluster) RemoveOwned(id string) (services []*Service) {
	owned := c.OwnedBy(id)
	delete(c.owned, id)
	for _, key := range owned.services {
		svc := c.Services[key]
		delete(c.Services, key)
		rest := slices.DeleteFunc(c.ByOwner[svc.Deployment], func(other *Service) bool { return other == svc })
		if len(rest) == 0 {
			delete(c.ByOwner, svc.Deployment)
		} else {
			c.ByOwner[svc.Deployment] = rest
		}
		services = append(services, svc)
	}
	for _, key := range owned.Deployments {
		delete(c.Deployments, key)
	}
	return services
}

// RestoreDeployment stores a Deployment with all its pods running.
func (c *Cluster) RestoreDeployment(d *Deployment) {
	set := d.makeCurrent()
	set.desired = d.Replicas
	for range d.Replicas {
		if d.Template.neverStarts() {
			c.startPod(d, set)
		} else {
			set.Pods = append(set.Pods, &pod{ready: true})
		}
	}
	d.Shown = d.status()
	c.AddDeployment(d)
}
