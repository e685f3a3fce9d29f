package server

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// ControlPlane has every object of a simulated Kuscia; several servers can
// share it. The lock of the engine guards it; handlers acquire it first.
type ControlPlane struct {
	*engine.Engine
	ControlPlaneOptions

	// API is the API server that has the domains, app images and KusciaDeployments, whose
	// controllers run there; nil means that they are simulated in memory.
	API *objects.API
	// stores are the stores of the registered objects, by type; see Stored.
	stores map[reflect.Type]any
}

// ControlPlaneOptions configure a control plane.
type ControlPlaneOptions struct {
	Timing  cluster.Timing
	Version Version
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
		if o.Save == nil {
			continue
		}
		text, err := json.Marshal(o.Save(c))
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
		if text, ok := saved[o.Name]; ok && o.Restore != nil {
			if err := o.Restore(c, text); err != nil {
				return err
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
