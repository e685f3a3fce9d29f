package server

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
)

// World holds every object of a played Kuscia, which more than one server can
// share. All of it is guarded by the lock of the engine; the handlers enter and
// then work on it.
type World struct {
	*engine.Engine
	WorldOptions

	// stores are what the registered objects keep, by type; see stored.
	stores map[reflect.Type]any
}

// WorldOptions are what a world is like.
type WorldOptions struct {
	Timing  engine.Timing
	Version Version
	// Autonomy is the domain id of a P2P node, "" for a master.
	Autonomy string
	// Domains exist at the start.
	Domains []string
	// AdoptLeftovers lets a new serving have what an earlier one of its id left.
	AdoptLeftovers bool
	// Objects are all that is played. They are seeded and restored in this order.
	Objects []*Object
}

// NewWorld makes a world with what its objects seed.
func NewWorld(e *engine.Engine, options WorldOptions) *World {
	w := &World{Engine: e, WorldOptions: options}
	for _, o := range w.Objects {
		if o.Seed != nil {
			o.Seed(w)
		}
	}
	return w
}

// Steps is a time that grows with that of the controllers.
func (w *World) Steps(count int) time.Duration { return time.Duration(count) * w.Timing.Step }

// FirstRetry is how long a controller waits before it repeats a pass that ended
// with an error; the delay doubles every time.
const FirstRetry = 5 * time.Millisecond

// Save is what the objects keep over restarts, by their names. What is under way
// starts again when it is restored.
func (w *World) Save() (map[string]json.RawMessage, error) {
	defer w.Enter()()
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
func (w *World) Restore(saved, earlier map[string]json.RawMessage) error {
	defer w.Enter()()
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
func (w *World) Snapshot() map[string]any {
	defer w.Enter()()
	taken := map[string]any{}
	for _, o := range w.Objects {
		if o.Snapshot != nil {
			taken[o.Name] = o.Snapshot(w)
		}
	}
	return taken
}

// Started lets the objects take what they need of the certificates of a master.
func (w *World) Started(certsDir string) {
	for _, o := range w.Objects {
		if o.Started != nil {
			o.Started(w, certsDir)
		}
	}
}
