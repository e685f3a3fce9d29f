package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
)

// Stored returns the part of the control plane that belongs to one kind of
// object, by its type.
func Stored[T any](w *ControlPlane) *T {
	key := reflect.TypeFor[T]()
	if found, ok := w.stores[key].(*T); ok {
		return found
	}
	made := new(T)
	if w.stores == nil {
		w.stores = map[reflect.Type]any{}
	}
	w.stores[key] = made
	return made
}

// TableOf returns the table of a kind of object.
func TableOf[T any](w *ControlPlane) *cluster.Table[T] { return Stored[cluster.Table[T]](w) }

// WaitWriteWindow opens the window between reading and writing and returns the
// conflict after it, if any: the object was deleted or another client has
// changed it.
func WaitWriteWindow[T any](s *Node, kind string, r *cluster.Record[T]) (message string, gone bool) {
	before := r.Version
	s.PauseBeforeWrite()
	switch {
	case !TableOf[T](s.ControlPlane).Holds(r):
		return LookupError(kind, r.Name), true
	case r.Version != before:
		return ConflictError(kind, r.Name), false
	}
	return "", false
}

// savedRecord is a record in the state file.
type savedRecord[T any] struct {
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name"`
	Created    time.Time `json:"created"`
	UID        uint64    `json:"uid"`
	Generation int64     `json:"generation"`
	Spec       T         `json:"spec"`
}

// SaveTable implements Object.Save for a kind with a single table.
func SaveTable[T any](w *ControlPlane) any {
	list := []savedRecord[T]{}
	for _, r := range TableOf[T](w).All() {
		list = append(list, savedRecord[T]{r.Namespace, r.Name, r.Created, r.Uid, r.Generation, r.Spec})
	}
	return list
}

// RestoreTable implements Object.Restore for a kind with a single table; wake
// schedules the controller for each object.
func RestoreTable[T any](wake func(w *ControlPlane, r *cluster.Record[T])) func(w *ControlPlane, text json.RawMessage) error {
	return func(w *ControlPlane, text json.RawMessage) error {
		var list []savedRecord[T]
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("reading %s: %w", reflect.TypeFor[T]().Name(), err)
		}
		t := TableOf[T](w)
		t.Records = nil
		for _, saved := range list {
			r := t.Add(w.Engine, cluster.Key{Namespace: saved.Namespace, Name: saved.Name}, saved.Spec)
			r.Created, r.Generation = saved.Created, saved.Generation
			// Other objects refer to this one by its uid.
			r.Uid = saved.UID
			w.ReserveUID(saved.UID)
		}
		for _, r := range t.All() {
			if wake != nil {
				wake(w, r)
			}
		}
		return nil
	}
}
