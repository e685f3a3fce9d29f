package serving

import (
	"errors"
	"maps"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// memory runs the KusciaDeployments in memory: it has their objects, and the state of
// their controller.
type memory struct {
	*cluster.Cluster
	servings   *Servings
	controller kusciadeployment.Controller
	passes     map[string]*pass // by the name of the KusciaDeployment
	// cleaning are the times until which the controller removes the leftovers of
	// deleted servings; a new serving with that id waits, unless leftovers are
	// adopted.
	cleaning map[string]time.Time
	ports    kusciadeployment.Ports
	// running is the pass that runs.
	running *pass
}

// pass is the state of the controller of a KusciaDeployment.
type pass struct {
	id string
	// reconcileAt is when the next pass is due; zero if none is.
	reconcileAt time.Time
	// applyAt is when the current pass has written everything.
	applyAt time.Time
	retries int
	// lagUntil is the time until which the controllers ignore the object.
	lagUntil time.Time
}

// changed schedules the controller for a changed KusciaDeployment. One that is deleted is gone
// immediately; its Deployments and Services remain for some time, and are then removed by
// name, even if they belong to another serving by then.
func (m *memory) changed(before, after *objects.KusciaDeployment) {
	switch {
	case m.servings.API != nil: // it has its own controller
	case after == nil:
		id := before.Name
		delete(m.passes, id)
		m.cleaning[id] = m.After(m.servings.Timing.Cleanup, func() { m.cleanUp(id) })
	case before == nil:
		p := &pass{id: after.Name}
		m.passes[p.id] = p
		delay := m.servings.Timing.Reconcile
		if until, busy := m.cleaning[p.id]; busy && !m.servings.AdoptLeftovers {
			delay += until.Sub(m.Now())
		}
		m.wake(p, delay)
	case before.Generation != after.Generation || !maps.Equal(before.Annotations, after.Annotations):
		m.wake(m.passes[after.Name], m.servings.Timing.Reconcile)
	}
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
	p := m.passes[id]
	if p == nil {
		return
	}
	if until := m.Now().Add(max(m.servings.Timing.Lag, from.Lag)); until.After(p.lagUntil) {
		p.lagUntil = until
	}
}

// lagUntil is the time until which the controllers ignore a serving.
func (m *memory) lagUntil(id string) time.Time {
	if p := m.passes[id]; p != nil {
		return p.lagUntil
	}
	return time.Time{}
}

// deploymentChanged schedules the controller for the serving of a Deployment.
func (m *memory) deploymentChanged(id string) {
	if p := m.passes[id]; p != nil {
		m.wake(p, m.servings.Timing.Observe)
	}
}

// wake schedules a pass of the controller after delay, unless an earlier one is
// scheduled.
func (m *memory) wake(p *pass, delay time.Duration) {
	at := m.Now().Add(delay)
	if !p.reconcileAt.IsZero() && !p.reconcileAt.After(at) {
		return
	}
	p.reconcileAt = at
	m.servings.Reconcile(delay, func() {
		if m.passes[p.id] == p && p.reconcileAt.Equal(at) {
			p.reconcileAt = time.Time{}
			m.reconcile(p)
		}
	})
}

// reconcile is one pass of Kuscia's controller.
func (m *memory) reconcile(p *pass) {
	now := m.Now()
	if p.lagUntil.After(now) {
		m.wake(p, p.lagUntil.Sub(now))
		return
	}
	kd := m.servings.get(p.id)
	if kd == nil {
		return // an API server has it by now
	}
	m.running = p
	err := m.controller.Reconcile(kd, now)
	switch {
	case errors.Is(err, kusciadeployment.ErrLater):
		m.wake(p, p.applyAt.Sub(now))
		return
	case err == nil:
		p.retries = 0
	case p.retries < kusciadeployment.MaxRetries:
		m.wake(p, kusciadeployment.RetryDelay(p.retries))
		p.retries++
	default:
		p.retries = 0
		_ = m.controller.GiveUp(kd, err, now) // memory does not fail
		// Writing the failure changes the object, so the controller starts again.
		m.wake(p, m.servings.Timing.Reconcile)
	}
	p.applyAt = time.Time{}
}
