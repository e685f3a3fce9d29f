package serving

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// memory has the KusciaDeployments, with the state of their controller.
type memory struct {
	*cluster.Cluster
	servings   *Servings
	controller kusciadeployment.Controller
	byID       map[string]*record
	// cleaning are the times until which the controller removes the leftovers of
	// deleted servings; a new serving with that id waits, unless leftovers are
	// adopted.
	cleaning map[string]time.Time
	ports    kusciadeployment.Ports
	// running is the record of the pass that runs.
	running *record
}

// record is a KusciaDeployment with the state of its controller.
type record struct {
	objects.KusciaDeployment
	// reconcileAt is when the next pass is due; zero if none is.
	reconcileAt time.Time
	// applyAt is when the current pass has written everything.
	applyAt time.Time
	retries int
	// lagUntil is the time until which the controllers ignore the object.
	lagUntil time.Time
}

// get returns a copy, whose lists and maps must not be changed.
func (m *memory) get(id string) (*objects.KusciaDeployment, error) {
	if r := m.byID[id]; r != nil {
		kd := r.KusciaDeployment
		kd.Meta.Annotations = maps.Clone(kd.Meta.Annotations)
		return &kd, nil
	}
	return nil, nil
}

func (m *memory) all() ([]*objects.KusciaDeployment, error) {
	var all []*objects.KusciaDeployment
	for _, id := range slices.Sorted(maps.Keys(m.byID)) {
		kd, err := m.get(id)
		if err != nil {
			return nil, err
		}
		all = append(all, kd)
	}
	return all, nil
}

// touch records a write: writers that have read the object before conflict.
func (m *memory) touch(r *record) {
	r.Meta.ResourceVersion = strconv.FormatUint(m.NextVersion(), 10)
}

func (m *memory) create(kd *objects.KusciaDeployment) error {
	id := kd.Meta.Name
	if m.byID[id] != nil {
		return errors.New(server.ExistsError(Kind, id))
	}
	r := &record{KusciaDeployment: *kd}
	r.Meta.UID, r.Meta.Generation, r.Meta.CreationTimestamp = fmt.Sprint(m.NextUID()), 1, new(m.Now())
	m.byID[id] = r
	m.touch(r)
	delay := m.servings.Timing.Reconcile
	if until, busy := m.cleaning[id]; busy && !m.servings.AdoptLeftovers {
		delay += until.Sub(m.Now())
	}
	m.wake(r, delay)
	return nil
}

// update writes a changed specification and schedules the controller.
func (m *memory) update(kd *objects.KusciaDeployment) error {
	r := m.byID[kd.Meta.Name]
	switch {
	case r == nil:
		return errors.New(server.LookupError(Kind, kd.Meta.Name))
	case r.Meta.ResourceVersion != kd.Meta.ResourceVersion:
		return errors.New(server.ConflictError(Kind, kd.Meta.Name))
	}
	r.Spec, r.Meta.Annotations = kd.Spec, kd.Meta.Annotations
	r.Meta.Generation++
	m.touch(r)
	m.wake(r, m.servings.Timing.Reconcile)
	return nil
}

// remove deletes the object immediately; its Deployments and Services remain for some
// time, and are then removed by name, even if they belong to another serving by then.
func (m *memory) remove(id string) error {
	delete(m.byID, id)
	m.cleaning[id] = m.After(m.servings.Timing.Cleanup, func() { m.cleanUp(id) })
	return nil
}

// cleanUp removes the leftovers of a deleted serving by its id: a new serving with
// that id loses what it has adopted and creates it again.
func (m *memory) cleanUp(id string) {
	delete(m.cleaning, id)
	for _, s := range m.RemoveOwned(id) {
		for _, port := range s.Spec.Ports {
			m.ports.Release(s.Meta.Namespace, port.Port)
		}
	}
	m.deploymentChanged(id)
}

// lag delays the controllers after a request that has changed a serving.
func (m *memory) lag(id string, from server.Caller) {
	r := m.byID[id]
	if r == nil {
		return
	}
	if until := m.Now().Add(max(m.servings.Timing.Lag, from.Lag)); until.After(r.lagUntil) {
		r.lagUntil = until
	}
}

// lagUntil is the time until which the controllers ignore a serving.
func (m *memory) lagUntil(id string) time.Time {
	if r := m.byID[id]; r != nil {
		return r.lagUntil
	}
	return time.Time{}
}

// deploymentChanged schedules the controller for the serving of a Deployment.
func (m *memory) deploymentChanged(id string) {
	if r := m.byID[id]; r != nil {
		m.wake(r, m.servings.Timing.Observe)
	}
}

// wake schedules a pass of the controller after delay, unless an earlier one is
// scheduled.
func (m *memory) wake(r *record, delay time.Duration) {
	at := m.Now().Add(delay)
	if !r.reconcileAt.IsZero() && !r.reconcileAt.After(at) {
		return
	}
	r.reconcileAt = at
	m.After(delay, func() {
		if m.byID[r.Meta.Name] == r && r.reconcileAt.Equal(at) {
			r.reconcileAt = time.Time{}
			m.reconcile(r)
		}
	})
}

// reconcile is one pass of Kuscia's controller.
func (m *memory) reconcile(r *record) {
	now := m.Now()
	if r.lagUntil.After(now) {
		m.wake(r, r.lagUntil.Sub(now))
		return
	}
	kd, _ := m.get(r.Meta.Name) // it exists
	m.running = r
	err := m.controller.Reconcile(kd, now)
	switch {
	case errors.Is(err, kusciadeployment.ErrLater):
		m.wake(r, r.applyAt.Sub(now))
		return
	case err == nil:
		r.retries = 0
	case r.retries < kusciadeployment.MaxRetries:
		m.wake(r, kusciadeployment.RetryDelay(r.retries))
		r.retries++
	default:
		r.retries = 0
		_ = m.controller.GiveUp(kd, err, now) // memory does not fail
		// Writing the failure changes the object, so the controller starts again.
		m.wake(r, m.servings.Timing.Reconcile)
	}
	r.applyAt = time.Time{}
}
