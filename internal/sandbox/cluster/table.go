package cluster

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
)

// Key names an object in a namespace.
type Key struct{ Namespace, Name string }

// Compare orders by namespace and then by name.
func (k Key) Compare(other Key) int {
	if order := strings.Compare(k.Namespace, other.Namespace); order != 0 {
		return order
	}
	return strings.Compare(k.Name, other.Name)
}

// Record is a stored object.
type Record[T any] struct {
	Key
	Created time.Time
	// Uid differs for an object that was deleted and created again.
	Uid uint64
	// Generation counts the changes of spec, from 1.
	Generation int64
	// Version changes on every write.
	Version uint64
	Spec    T
}

// Table stores the objects of a kind. The zero value is empty.
type Table[T any] struct {
	Records map[Key]*Record[T]
}

// Add stores a new object.
func (t *Table[T]) Add(e *engine.Engine, key Key, spec T) *Record[T] {
	if t.Records == nil {
		t.Records = map[Key]*Record[T]{}
	}
	r := &Record[T]{Key: key, Version: e.NextVersion(), Created: e.Now(), Uid: e.NextUID(), Generation: 1, Spec: spec}
	t.Records[key] = r
	return r
}

// Get returns the object with that key, nil if there is none.
func (t *Table[T]) Get(namespace, name string) *Record[T] {
	return t.Records[Key{namespace, name}]
}

// Holds reports whether the record is still stored.
func (t *Table[T]) Holds(r *Record[T]) bool { return t.Records[r.Key] == r }

// Remove deletes an object.
func (t *Table[T]) Remove(e *engine.Engine, r *Record[T]) {
	e.NextVersion()
	delete(t.Records, r.Key)
}

// In returns the objects of a namespace, sorted by name.
func (t *Table[T]) In(namespace string) []*Record[T] {
	var list []*Record[T]
	for key, r := range t.Records {
		if key.Namespace == namespace {
			list = append(list, r)
		}
	}
	sortRecords(list)
	return list
}

// All returns all objects, sorted by namespace and name.
func (t *Table[T]) All() []*Record[T] {
	list := slices.Collect(maps.Values(t.Records))
	sortRecords(list)
	return list
}

func sortRecords[T any](list []*Record[T]) {
	slices.SortFunc(list, func(a, b *Record[T]) int { return a.Key.Compare(b.Key) })
}

// Set writes a specification; an unchanged one is not a write.
func (r *Record[T]) Set(e *engine.Engine, spec T) (changed bool) {
	if reflect.DeepEqual(r.Spec, spec) {
		return false
	}
	r.Spec = spec
	r.Generation++
	r.Touch(e)
	return true
}

// Touch records a write: writers that have read the object before conflict.
func (r *Record[T]) Touch(e *engine.Engine) {
	r.Version = e.NextVersion()
}
