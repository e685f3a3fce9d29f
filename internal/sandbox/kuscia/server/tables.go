package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
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

// Table has the objects of a kind, in memory or in the API server of the control plane,
// and tells the controllers about their changes, whoever makes them. It is used with the
// lock held.
//
// A store that does not respond fails the whole request: see ControlPlane.failed.
type Table[T any] struct {
	*ControlPlane
	store  objects.Client[T]
	memory *cluster.Memory[T]
	// known are the objects that the controllers know of, gone the uids of those that were
	// deleted here: the API server reports each change again.
	known    map[cluster.Key]*T
	gone     map[string]bool
	watchers []func(before, after *T)
}

// TableOf returns the table of a kind.
func TableOf[T any](w *ControlPlane) *Table[T] {
	t := Stored[Table[T]](w)
	if t.ControlPlane == nil {
		t.ControlPlane, t.memory = w, cluster.NewMemory[T](w.Engine)
		t.store, t.known, t.gone = t.memory, map[cluster.Key]*T{}, map[string]bool{}
		if w.API != nil {
			t.use(w.API)
		}
	}
	return t
}

// OnChange calls a controller with each object that is new, changed or deleted: before is
// nil for a new one, after for a deleted one.
func (t *Table[T]) OnChange(changed func(before, after *T)) {
	t.watchers = append(t.watchers, changed)
}

// Get returns an object, nil if it does not exist.
func (t *Table[T]) Get(namespace, name string) *T {
	if name == "" {
		return nil
	}
	object, err := t.store.Get(namespace, name)
	t.fail(err)
	return object
}

// Current is an object as it is now, nil if it was deleted since.
func (t *Table[T]) Current(object *T) *T {
	meta := objects.MetaOf(object)
	now := t.Get(meta.Namespace, meta.Name)
	if now == nil || objects.MetaOf(now).UID != meta.UID {
		return nil
	}
	return now
}

// List returns the objects of a namespace, "" for all, sorted by namespace and name.
func (t *Table[T]) List(namespace string) []*T { return t.With(namespace, nil) }

// With is List for the objects with these labels.
func (t *Table[T]) With(namespace string, labels map[string]string) []*T {
	list, err := t.store.List(namespace, labels)
	t.fail(err)
	return list
}

// Create stores a new object.
func (t *Table[T]) Create(object *T) error { return t.write(t.store.Create, object) }

// Update stores an object with another specification or other metadata.
func (t *Table[T]) Update(object *T) error { return t.write(t.store.Update, object) }

// UpdateStatus stores an object with another status.
func (t *Table[T]) UpdateStatus(object *T) error { return t.write(t.store.UpdateStatus, object) }

func (t *Table[T]) write(write func(*T) error, object *T) error {
	if t.failed != nil {
		return t.failed
	}
	if err := write(object); err != nil {
		return err
	}
	t.noticed(cluster.Copy(object))
	return nil
}

// Delete deletes an object.
func (t *Table[T]) Delete(namespace, name string) error {
	there := t.Get(namespace, name)
	switch {
	case t.failed != nil:
		return t.failed
	case there == nil:
		return objects.KindOf[T]().Missing(name)
	}
	if err := t.store.Delete(namespace, name); err != nil {
		return err
	}
	if t.API != nil {
		if t.Current(there) != nil {
			return nil // until its finalizers are removed
		}
		t.gone[objects.MetaOf(there).UID] = true
	}
	t.missed(cluster.Key{Namespace: namespace, Name: name})
	return nil
}

// noticed tells the controllers about a new or changed object, once.
func (t *Table[T]) noticed(after *T) {
	meta := objects.MetaOf(after)
	before := t.known[cluster.KeyOf(*meta)]
	if t.gone[meta.UID] || before != nil && !newer(*meta, *objects.MetaOf(before)) {
		return
	}
	t.known[cluster.KeyOf(*meta)] = after
	for _, changed := range t.watchers {
		changed(before, after)
	}
}

// newer compares resource versions, which are numbers.
func newer(a, b objects.Meta) bool {
	version, _ := strconv.ParseUint(a.ResourceVersion, 10, 64)
	other, _ := strconv.ParseUint(b.ResourceVersion, 10, 64)
	return version > other
}

// missed tells the controllers about a deleted object.
func (t *Table[T]) missed(key cluster.Key) {
	before := t.known[key]
	if before == nil {
		return
	}
	delete(t.known, key)
	for _, changed := range t.watchers {
		changed(before, nil)
	}
}

// AnyTable is the table of any kind.
type AnyTable interface {
	save() any
	restore(saved json.RawMessage) error
	moveTo(api objects.API) error
}

// AsTable is TableOf for Object.Table.
func AsTable[T any](w *ControlPlane) AnyTable { return TableOf[T](w) }

func (t *Table[T]) save() any { return t.List("") }

func (t *Table[T]) restore(saved json.RawMessage) error {
	var list []*T
	decoder := json.NewDecoder(bytes.NewReader(saved))
	decoder.DisallowUnknownFields() // nothing of another form of the file is dropped
	if err := decoder.Decode(&list); err != nil {
		return fmt.Errorf("reading %s: %w", objects.KindOf[T]().Plural, err)
	}
	t.memory = cluster.NewMemory[T](t.Engine)
	t.store = t.memory
	clear(t.known)
	for _, object := range list {
		t.memory.Restore(object)
	}
	for _, object := range list {
		t.noticed(cluster.Copy(object))
	}
	return nil
}

// moveTo writes the objects to an API server that has them from now on. Those that it has
// already stay as they are, but get the status that they do not have.
func (t *Table[T]) moveTo(api objects.API) error {
	list := t.List("")
	t.use(api)
	clear(t.known)
	for _, object := range list {
		meta := objects.MetaOf(object)
		moved := objects.Meta{Namespace: meta.Namespace, Name: meta.Name, Labels: meta.Labels, Annotations: meta.Annotations}
		for _, owner := range meta.OwnerReferences {
			owner.UID = t.movedTo[owner.UID]
			moved.OwnerReferences = append(moved.OwnerReferences, owner)
		}
		there, err := t.createOrGet(object, moved)
		if err != nil {
			return err
		}
		t.movedTo[meta.UID] = objects.MetaOf(there).UID
		status, its := cluster.Part(object, "Status"), cluster.Part(there, "Status")
		if !status.IsValid() || status.IsZero() || !its.IsZero() {
			continue
		}
		its.Set(status)
		if err := t.store.UpdateStatus(there); err != nil && objects.ReasonOf(err) != objects.Conflict {
			return err
		}
	}
	return nil
}

// createOrGet creates the object with other metadata and no status, or finds the one that is
// there. Controllers on the API server may delete that one in between, and then it is created.
func (t *Table[T]) createOrGet(object *T, meta objects.Meta) (*T, error) {
	for {
		created := cluster.Copy(object)
		*objects.MetaOf(created) = meta
		if status := cluster.Part(created, "Status"); status.IsValid() {
			status.SetZero()
		}
		err := t.store.Create(created)
		if objects.ReasonOf(err) != objects.AlreadyExists {
			return created, err
		}
		if there, err := t.store.Get(meta.Namespace, meta.Name); err != nil || there != nil {
			return there, err
		}
	}
}

// rewatch is the time until a lost connection is made again.
const rewatch = 100 * time.Millisecond

// use makes an API server the store, whose changes the controllers notice.
func (t *Table[T]) use(api objects.API) {
	remote := objects.Remote[T]{API: api}
	t.store = remote
	if len(t.watchers) == 0 {
		return
	}
	locked := func(do func()) {
		defer t.Acquire()()
		do()
	}
	go func() {
		for t.running.Err() == nil {
			_ = remote.Watch(t.running, func(all []*T) {
				locked(func() { t.listed(all) })
			}, func(object *T, deleted bool) {
				locked(func() { t.reported(object, deleted) })
			})
			select {
			case <-t.running.Done():
			case <-time.After(rewatch):
			}
		}
	}()
}

// listed compares all objects of the API server with the known ones.
func (t *Table[T]) listed(all []*T) {
	there := map[cluster.Key]bool{}
	for _, object := range all {
		there[cluster.KeyOf(*objects.MetaOf(object))] = true
		t.noticed(object)
	}
	for key, before := range t.known {
		if !there[key] && t.Current(before) == nil {
			t.missed(key)
		}
	}
}

// reported is a change that the API server reports.
func (t *Table[T]) reported(object *T, deleted bool) {
	meta := objects.MetaOf(object)
	key := cluster.KeyOf(*meta)
	switch before := t.known[key]; {
	case !deleted:
		t.noticed(object)
	case before != nil && objects.MetaOf(before).UID == meta.UID:
		t.missed(key)
	}
}

// StoreCodes are the codes of a kind for objects that do not exist, and for those that do.
type StoreCodes struct{ NotFound, Exists int32 }

// Refuse is the response to an error of the store: with this code, unless it has its own.
func (c StoreCodes) Refuse(code int32, err error) Response {
	switch reason := objects.ReasonOf(err); {
	case reason == objects.NotFound && c.NotFound != 0:
		code = c.NotFound
	case reason == objects.AlreadyExists && c.Exists != 0:
		code = c.Exists
	}
	return Refuse(code, err.Error())
}

// DoneUnless is a success without data unless the store has failed.
func (c StoreCodes) DoneUnless(code int32, err error) Response {
	if err != nil {
		return c.Refuse(code, err)
	}
	return Done()
}
