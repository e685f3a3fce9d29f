package server

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// ControlPlane has every object of a simulated Kuscia; several servers can
// share it. The lock of the engine guards it; handlers acquire it first.
type ControlPlane struct {
	*engine.Engine
	ControlPlaneOptions

	// API is the API server that has the objects, nil if they are in memory.
	API objects.API
	// stores are the stores of the registered objects, by type; see Stored.
	stores map[reflect.Type]any
	// failed is the first failure of the store in a request, which is then its response, or
	// in an event.
	failed error
	// ended is set when the controllers have crashed.
	ended bool
	// movedTo are the uids in the API server of the objects that were in memory.
	movedTo map[string]string
	// running ends with the control plane.
	running context.Context // that of its goroutines
	stop    context.CancelFunc
}

// ControlPlaneOptions configure a control plane.
type ControlPlaneOptions struct {
	Timing  cluster.Timing
	Version versions.Version
	// Autonomy is the domain id of a P2P node, "" for a master.
	Autonomy string
	// Domains are the initial domains.
	Domains []string
	// AdoptLeftovers makes a new serving adopt the Deployments that a deleted
	// one with the same id left.
	AdoptLeftovers bool
	// Objects are all kinds of objects. They are seeded and restored in this order.
	Objects []*Object
}

// NewControlPlane returns a control plane with the seeded objects.
func NewControlPlane(e *engine.Engine, options ControlPlaneOptions) *ControlPlane {
	c := &ControlPlane{Engine: e, ControlPlaneOptions: options}
	c.running, c.stop = context.WithCancel(context.Background())
	for _, o := range c.Objects {
		if o.Seed != nil {
			o.Seed(c)
		}
	}
	return c
}

// Steps is a duration that is proportional to the controllers' timing.
func (c *ControlPlane) Steps(count int) time.Duration { return time.Duration(count) * c.Timing.Step }

// FirstRetry is the delay before a controller repeats a failed reconciliation;
// it doubles every time.
const FirstRetry = 5 * time.Millisecond

// Save returns what the objects store across restarts, by their names.
// Reconciliations that are in progress start again after Restore.
func (c *ControlPlane) Save() (map[string]json.RawMessage, error) {
	defer c.Acquire()()
	saved := map[string]json.RawMessage{}
	for _, o := range c.Objects {
		var content any
		switch {
		case o.Table != nil:
			content = o.Table(c).save()
		case o.Save != nil:
			content = o.Save(c)
		default:
			continue
		}
		text, err := json.Marshal(content)
		if err != nil {
			return nil, err
		}
		saved[o.Name] = text
	}
	return saved, nil
}

// Restore restores the result of Save; objects that it does not contain are
// unchanged.
func (c *ControlPlane) Restore(saved map[string]json.RawMessage) error {
	defer c.Acquire()()
	for _, o := range c.Objects {
		restore := o.Restore
		if o.Table != nil {
			restore = func(c *ControlPlane, saved json.RawMessage) error { return o.Table(c).restore(saved) }
		}
		if text, ok := saved[o.Name]; ok && restore != nil {
			if err := restore(c, text); err != nil {
				return fmt.Errorf("reading %s: %w", o.Name, err)
			}
		}
	}
	return nil
}

// Snapshot returns the snapshots of the objects for stale responses, by their
// names.
func (c *ControlPlane) Snapshot() map[string]any {
	defer c.Acquire()()
	taken := map[string]any{}
	for _, o := range c.Objects {
		if o.Snapshot != nil {
			taken[o.Name] = o.Snapshot(c)
		}
	}
	return taken
}

// Started lets the objects read the certificates of a master.
func (c *ControlPlane) Started(certsDir string) {
	for _, o := range c.Objects {
		if o.Started != nil {
			o.Started(c, certsDir)
		}
	}
}

// Acquire is that of the engine, at the beginning of a request.
func (c *ControlPlane) Acquire() func() {
	release := c.Engine.Acquire()
	c.failed = nil
	return release
}

// After is that of the engine. What a controller reads may fail: then it writes nothing.
func (c *ControlPlane) After(delay time.Duration, run func()) time.Time {
	return c.Engine.After(delay, func() {
		c.failed = nil
		run()
	})
}

// Reconcile is After for a pass of a controller of Kuscia: it does not run after EndControllers.
func (c *ControlPlane) Reconcile(delay time.Duration, pass func()) time.Time {
	return c.After(delay, func() {
		if !c.ended {
			pass()
		}
	})
}

// EndControllers ends all controllers of Kuscia until its next start, as a crash of one does.
// The KusciaAPI goes on, and so do those of Kubernetes.
func (c *ControlPlane) EndControllers() { c.ended = true }

// ControllersEnded reports whether the controllers have ended.
func (c *ControlPlane) ControllersEnded() bool { return c.ended }

// fail notes that the store has failed. The rest of a request or an event reads nothing
// reliable, and writes nothing.
func (c *ControlPlane) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
}

// UseAPI makes an API server have the objects from now on, as that of a real Kuscia. Those
// in memory are written to it. The controllers of KusciaDeployments and of namespaces are
// its own.
func (c *ControlPlane) UseAPI(api objects.API) error {
	c.movedTo = map[string]string{}
	for _, o := range c.Objects {
		if o.Table == nil {
			continue
		}
		if err := o.Table(c).moveTo(api); err != nil {
			return fmt.Errorf("moving %s to an API server: %w", o.Name, err)
		}
	}
	c.API = api
	go c.keepRunning()
	return nil
}

// keepRunning runs the controllers when nobody sends a request, but changes an object in
// the API server.
func (c *ControlPlane) keepRunning() {
	ticker := time.NewTicker(max(c.Timing.Step, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-c.running.Done():
			return
		case <-ticker.C:
			c.Acquire()()
		}
	}
}

// Close ends what runs in the background.
func (c *ControlPlane) Close() { c.stop() }
