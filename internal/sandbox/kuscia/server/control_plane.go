package server

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
)

// ControlPlane holds every object of a simulated Kuscia, which more than one server can
// share. All of it is guarded by the lock of the engine, which handlers acquire
// first.
type ControlPlane struct {
	*engine.Engine
	ControlPlaneOptions

	// stores are what the registered objects keep, by type; see stored.
	stores map[reflect.Type]any
}

// ControlPlaneOptions are what a control plane is like.
type ControlPlaneOptions struct {
	Timing  engine.Timing
	Version Version
	// Autonomy is the domain id of a P2P node, "" for a master.
	Autonomy string
	// Domains exist at the start.
	Domains []string
	// AdoptLeftovers makes a new serving take over the Deployments that a deleted one
	// of the same id left.
	AdoptLeftovers bool
	// Objects are all kinds of objects. They are seeded and restored in this order.
	Objects []*Object
}

// NewControlPlane makes a control plane with what its objects seed.
func NewControlPlane(e *engine.Engine, options ControlPlaneOptions) *ControlPlane {
	w := &ControlPlane{Engine: e, ControlPlaneOptions: options}
	for _, o := range w.Objects {
		if o.Seed != nil {
			o.Seed(w)
		}
	}
	return w
}

// Steps is a time that grows with that of the controllers.
func (w *ControlPlane) Steps(count int) time.Duration { return time.Duration(count) * w.Timing.Step }

// FirstRetry is how long a controller waits before it repeats a pass that ended
// with an error; the delay doubles every time.
const FirstRetry = 5 * time.Millisecond

// Save is what the objects keep over restarts, by their names. What is under way
// starts again when it is restored.
func (w *ControlPlane) Save() (map[string]json.RawMessage, error) {
	defer w.Acquire()()
	saved := map[string]json.RawMessage{}
	for _, o := range w.Objects {
		if o.Save == nil {
			continue
		}
		text, err := json.Marshal(o.Save(w))
		if err != nil {
			return nil, err
		}
		saved[o.Name] = text
	}
	return saved, nil
}

// Restore puts back what Save gave; objects that it has nothing of are left as
// they are. Earlier is what a file of an earlier release has beside the objects.
func (w *ControlPlane) Restore(saved, earlier map[string]json.RawMessage) error {
	defer w.Acquire()()
	for _, o := range w.Objects {
		if text, ok := saved[o.Name]; ok && o.Restore != nil {
			if err := o.Restore(w, text); err != nil {
				return err
			}
		}
	}
	for _, o := range w.Objects {
		if o.RestoreEarlier != nil {
			if err := o.RestoreEarlier(w, earlier); err != nil {
				return err
			}
		}
	}
	return nil
}

// Snapshot is what the objects answer stale questions with, by their names.
func (w *ControlPlane) Snapshot() map[string]any {
	defer w.Acquire()()
	taken := map[string]any{}
	for _, o := range w.Objects {
		if o.Snapshot != nil {
			taken[o.Name] = o.Snapshot(w)
		}
	}
	return taken
}

// Started lets the objects take what they need of the certificates of a master.
func (w *ControlPlane) Started(certsDir string) {
	for _, o := range w.Objects {
		if o.Started != nil {
			o.Started(w, certsDir)
		}
	}
}
