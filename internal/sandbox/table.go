package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
)

// record is an object as the store keeps it.
type record[T any] struct {
	objectKey
	created time.Time
	// uid is another for an object that was deleted and made again.
	uid uint64
	// generation counts the changes of spec, from 1.
	generation int64
	// version changes with every write.
	version uint64
	spec    T
}

// table keeps the objects of a kind. The zero value is empty.
type table[T any] struct {
	records map[objectKey]*record[T]
}

// stored is a part of the world that belongs to one kind of object and that the
// world knows by its type only.
func stored[T any](w *world) *T {
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
func tableOf[T any](w *world) *table[T] { return stored[table[T]](w) }

// add stores a new object.
func (t *table[T]) add(w *world, key objectKey, spec T) *record[T] {
	if t.records == nil {
		t.records = map[objectKey]*record[T]{}
	}
	w.seq++
	r := &record[T]{objectKey: key, created: w.now, uid: w.nextUID(), generation: 1, version: w.seq, spec: spec}
	t.records[key] = r
	return r
}

// get is the object of that key, nil when there is none.
func (t *table[T]) get(namespace, name string) *record[T] {
	return t.records[objectKey{namespace, name}]
}

// holds reports whether the object is still the one that is stored.
func (t *table[T]) holds(r *record[T]) bool { return t.records[r.objectKey] == r }

func (t *table[T]) remove(w *world, r *record[T]) {
	w.seq++
	delete(t.records, r.objectKey)
}

// in lists the objects of a namespace by name.
func (t *table[T]) in(namespace string) []*record[T] {
	var list []*record[T]
	for key, r := range t.records {
		if key.namespace == namespace {
			list = append(list, r)
		}
	}
	sortRecords(list)
	return list
}

// all lists all objects by namespace and name.
func (t *table[T]) all() []*record[T] {
	list := slices.Collect(maps.Values(t.records))
	sortRecords(list)
	return list
}

func sortRecords[T any](list []*record[T]) {
	slices.SortFunc(list, func(a, b *record[T]) int { return a.objectKey.compare(b.objectKey) })
}

// set writes a changed specification; the same one is no write.
func (r *record[T]) set(w *world, spec T) (changed bool) {
	if reflect.DeepEqual(r.spec, spec) {
		return false
	}
	r.spec = spec
	r.generation++
	r.touch(w)
	return true
}

// touch notes a write: writers that read the object before now conflict.
func (r *record[T]) touch(w *world) {
	w.seq++
	r.version = w.seq
}

// overtaken opens the window between reading and writing and tells what then
// stands against the write: the object is gone or another writer was faster.
func overtaken[T any](s *Sandbox, kind string, r *record[T]) (complaint string, gone bool) {
	before := r.version
	s.pauseBeforeWrite()
	switch {
	case !tableOf[T](s.world).holds(r):
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
func saveTable[T any](w *world) any {
	list := []savedRecord[T]{}
	for _, r := range tableOf[T](w).all() {
		list = append(list, savedRecord[T]{r.namespace, r.name, r.created, r.uid, r.generation, r.spec})
	}
	return list
}

// restoreTable is object.restore for a kind that is one table; wake lets the
// controller look at each object.
func restoreTable[T any](wake func(w *world, r *record[T])) func(w *world, text json.RawMessage) error {
	return func(w *world, text json.RawMessage) error {
		var list []savedRecord[T]
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("reading %s: %w", reflect.TypeFor[T]().Name(), err)
		}
		t := tableOf[T](w)
		t.records = nil
		for _, saved := range list {
			r := t.add(w, objectKey{saved.Namespace, saved.Name}, saved.Spec)
			r.created, r.generation = saved.Created, saved.Generation
			// Others refer to the object by its uid.
			r.uid, w.uids = saved.UID, max(w.uids, saved.UID)
		}
		for _, r := range t.all() {
			if wake != nil {
				wake(w, r)
			}
		}
		return nil
	}
}
