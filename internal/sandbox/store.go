package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// stored is a part of the world that belongs to one kind of object and that the
// world knows by its type only.
func stored[T any](w *World) *T {
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

// tableOf is the table of a kind of object.
func tableOf[T any](w *World) *table[T] { return stored[table[T]](w) }

// overtaken opens the window between reading and writing and tells what then
// stands against the write: the object is gone or another writer was faster.
func overtaken[T any](s *Server, kind string, r *record[T]) (complaint string, gone bool) {
	before := r.version
	s.PauseBeforeWrite()
	switch {
	case !tableOf[T](s.World).holds(r):
		return lookupError(kind, r.name), true
	case r.version != before:
		return conflictError(kind, r.name), false
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

// saveTable is object.save for a kind that is one table.
func saveTable[T any](w *World) any {
	list := []savedRecord[T]{}
	for _, r := range tableOf[T](w).all() {
		list = append(list, savedRecord[T]{r.namespace, r.name, r.created, r.uid, r.generation, r.spec})
	}
	return list
}

// restoreTable is object.restore for a kind that is one table; wake lets the
// controller look at each object.
func restoreTable[T any](wake func(w *World, r *record[T])) func(w *World, text json.RawMessage) error {
	return func(w *World, text json.RawMessage) error {
		var list []savedRecord[T]
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("reading %s: %w", reflect.TypeFor[T]().Name(), err)
		}
		t := tableOf[T](w)
		t.records = nil
		for _, saved := range list {
			r := t.add(w.Engine, objectKey{saved.Namespace, saved.Name}, saved.Spec)
			r.created, r.generation = saved.Created, saved.Generation
			// Others refer to the object by its uid.
			r.uid = saved.UID
			w.KeepUID(saved.UID)
		}
		for _, r := range t.all() {
			if wake != nil {
				wake(w, r)
			}
		}
		return nil
	}
}
