package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
)

// Stored is a part of the control plane that belongs to one kind of object. It is found
// by its type.
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

// TableOf is the table of a kind of object.
func TableOf[T any](w *ControlPlane) *cluster.Table[T] { return Stored[cluster.Table[T]](w) }

// Overtaken opens the window between reading and writing and tells what then
// stands against the write: the object is gone or another writer was faster.
func Overtaken[T any](s *Node, kind string, r *cluster.Record[T]) (complaint string, gone bool) {
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

// SaveTable is object.save for a kind that is one table.
func SaveTable[T any](w *ControlPlane) any {
	list := []savedRecord[T]{}
	for _, r := range TableOf[T](w).All() {
		list = append(list, savedRecord[T]{r.Namespace, r.Name, r.Created, r.Uid, r.Generation, r.Spec})
	}
	return list
}

// RestoreTable is object.restore for a kind that is one table; wake lets the
// controller look at each object.
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
			// Others refer to the object by its uid.
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
