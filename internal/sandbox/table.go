package sandbox

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// objectKey names an object in a namespace.
type objectKey struct{ namespace, name string }

func (k objectKey) compare(other objectKey) int {
	if order := strings.Compare(k.namespace, other.namespace); order != 0 {
		return order
	}
	return strings.Compare(k.name, other.name)
}

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

// add stores a new object.
func (t *table[T]) add(e *Engine, key objectKey, spec T) *record[T] {
	if t.records == nil {
		t.records = map[objectKey]*record[T]{}
	}
	r := &record[T]{objectKey: key, version: e.NextVersion(), created: e.Now(), uid: e.NextUID(), generation: 1, spec: spec}
	t.records[key] = r
	return r
}

// get is the object of that key, nil when there is none.
func (t *table[T]) get(namespace, name string) *record[T] {
	return t.records[objectKey{namespace, name}]
}

// holds reports whether the object is still the one that is stored.
func (t *table[T]) holds(r *record[T]) bool { return t.records[r.objectKey] == r }

func (t *table[T]) remove(e *Engine, r *record[T]) {
	e.NextVersion()
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
func (r *record[T]) set(e *Engine, spec T) (changed bool) {
	if reflect.DeepEqual(r.spec, spec) {
		return false
	}
	r.spec = spec
	r.generation++
	r.touch(e)
	return true
}

// touch notes a write: writers that read the object before now conflict.
func (r *record[T]) touch(e *Engine) {
	r.version = e.NextVersion()
}
