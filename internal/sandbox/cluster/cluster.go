package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/validation"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
)

// Cluster is the part of Kubernetes that KusciaDeployments use, in memory.
type Cluster struct {
	*engine.Engine
	timing      Timing
	starter     workload.Starter
	deployments map[Key]*Deployment
	services    map[Key]*objects.Service
	configMaps  map[Key]*objects.ConfigMap
	// selected are the Services by the Deployment that they select.
	selected map[Key][]*objects.Service
	owned    map[string]*owned // by the KusciaDeployment
	// lagUntil is the time until which the controllers ignore the objects of a
	// KusciaDeployment.
	lagUntil func(owner string) time.Time
	// changed is called on each change of a status, with the KusciaDeployment.
	changed func(owner string)
}

// owned are the objects of a KusciaDeployment.
type owned struct{ services, configMaps, deployments []Key }

// New returns an empty cluster, whose containers the starter starts. Its controllers ignore the objects of a
// KusciaDeployment until lagUntil, and call changed on each change of a status.
func New(e *engine.Engine, timing Timing, starter workload.Starter, lagUntil func(owner string) time.Time, changed func(owner string)) *Cluster {
	return &Cluster{
		Engine: e, timing: timing, starter: starter, lagUntil: lagUntil, changed: changed,
		deployments: map[Key]*Deployment{}, services: map[Key]*objects.Service{}, configMaps: map[Key]*objects.ConfigMap{},
		selected: map[Key][]*objects.Service{}, owned: map[string]*owned{},
	}
}

// KeyOf is the key of an object.
func KeyOf(meta objects.Meta) Key { return Key{meta.Namespace, meta.Name} }

func (c *Cluster) ownedBy(meta objects.Meta) *owned {
	id := meta.Labels[objects.LabelName]
	if c.owned[id] == nil {
		c.owned[id] = &owned{}
	}
	return c.owned[id]
}

// Owners are the names of the KusciaDeployments with objects.
func (c *Cluster) Owners() []string { return slices.Collect(maps.Keys(c.owned)) }

// Objects is the number of objects, including internal ones.
func (c *Cluster) Objects() int {
	return len(c.deployments) + len(c.services) + len(c.configMaps) + len(c.selected) + len(c.owned)
}

// All returns all objects, for the state file.
func (c *Cluster) All() (deployments []*Deployment, services []*objects.Service, configMaps []*objects.ConfigMap) {
	return slices.Collect(maps.Values(c.deployments)), slices.Collect(maps.Values(c.services)), slices.Collect(maps.Values(c.configMaps))
}

// Service is a Service, nil if there is none.
func (c *Cluster) Service(namespace, name string) (*objects.Service, error) {
	return c.services[Key{namespace, name}], nil
}

// ConfigMap is a ConfigMap, nil if there is none.
func (c *Cluster) ConfigMap(namespace, name string) (*objects.ConfigMap, error) {
	return c.configMaps[Key{namespace, name}], nil
}

// Deployment is a Deployment, nil if there is none.
func (c *Cluster) Deployment(namespace, name string) (*objects.Deployment, error) {
	if d := c.deployments[Key{namespace, name}]; d != nil {
		return &d.Deployment, nil
	}
	return nil, nil
}

// Simulated is a Deployment with its pods, nil if there is none.
func (c *Cluster) Simulated(key Key) *Deployment { return c.deployments[key] }

// DeploymentsOf are the Deployments of a KusciaDeployment.
func (c *Cluster) DeploymentsOf(id string) []*Deployment {
	var all []*Deployment
	if owned := c.owned[id]; owned != nil {
		for _, key := range owned.deployments {
			all = append(all, c.deployments[key])
		}
	}
	return all
}

// ServicesOf are the Services of a Deployment, by name.
func (c *Cluster) ServicesOf(namespace, deployment string) ([]*objects.Service, error) {
	return c.selected[Key{namespace, deployment}], nil
}

// CreateService stores a new Service.
func (c *Cluster) CreateService(s *objects.Service) error {
	if err := validation.Error("Service", s.Meta.Name, validation.Service(s)); err != nil {
		return err
	}
	c.services[KeyOf(s.Meta)] = s
	key := Key{s.Meta.Namespace, s.Meta.Labels[objects.LabelDeployment]}
	c.selected[key] = append(c.selected[key], s)
	slices.SortFunc(c.selected[key], func(a, b *objects.Service) int { return strings.Compare(a.Meta.Name, b.Meta.Name) })
	owned := c.ownedBy(s.Meta)
	owned.services = append(owned.services, KeyOf(s.Meta))
	return nil
}

// CreateConfigMap stores a new ConfigMap.
func (c *Cluster) CreateConfigMap(m *objects.ConfigMap) error {
	c.configMaps[KeyOf(m.Meta)] = m
	owned := c.ownedBy(m.Meta)
	owned.configMaps = append(owned.configMaps, KeyOf(m.Meta))
	return nil
}

// CreateDeployment stores a new Deployment, and schedules its controllers.
func (c *Cluster) CreateDeployment(d *objects.Deployment) error {
	if err := validation.Error("Deployment.apps", d.Meta.Name, validation.Deployment(d)); err != nil {
		return err
	}
	d.Meta.CreationTimestamp, d.Meta.UID, d.Meta.Generation = new(c.Now()), fmt.Sprint(c.NextUID()), 1
	c.Schedule(c.add(d), c.timing.Step)
	return nil
}

func (c *Cluster) add(d *objects.Deployment) *Deployment {
	added := &Deployment{Deployment: *d}
	added.hash()
	c.deployments[KeyOf(d.Meta)] = added
	owned := c.ownedBy(d.Meta)
	owned.deployments = append(owned.deployments, KeyOf(d.Meta))
	return added
}

// UpdateDeployment changes the specification of a Deployment.
func (c *Cluster) UpdateDeployment(_, after *objects.Deployment) error {
	if err := validation.Error("Deployment.apps", after.Meta.Name, validation.Deployment(after)); err != nil {
		return err
	}
	d := c.deployments[KeyOf(after.Meta)]
	d.Spec = after.Spec
	d.Meta.Generation++
	d.hash()
	c.Schedule(d, c.timing.Step)
	return nil
}

// RestoreDeployment stores a Deployment whose pods have started.
func (c *Cluster) RestoreDeployment(restored *objects.Deployment) {
	d := c.add(restored)
	d.Workload.Spec = d.spec()
	workload.Restore(&d.Workload, c.Now(), c.timing.workload(), c.starter)
	d.Status = d.Workload.Status
	c.Schedule(d, 0)
}

// RemoveOwned removes all objects of a KusciaDeployment and returns its Services.
func (c *Cluster) RemoveOwned(id string) (services []*objects.Service) {
	owned := c.owned[id]
	if owned == nil {
		return nil
	}
	delete(c.owned, id)
	for _, key := range owned.services {
		s := c.services[key]
		delete(c.services, key)
		selects := Key{key.Namespace, s.Meta.Labels[objects.LabelDeployment]}
		c.selected[selects] = slices.DeleteFunc(c.selected[selects], func(other *objects.Service) bool { return other == s })
		if len(c.selected[selects]) == 0 {
			delete(c.selected, selects)
		}
		services = append(services, s)
	}
	for _, key := range owned.configMaps {
		delete(c.configMaps, key)
	}
	for _, key := range owned.deployments {
		delete(c.deployments, key)
	}
	return services
}
