package cluster

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
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

// Memory has the objects of a kind in memory, as an API server would have them. The lock of
// the engine guards it. Objects are copies whose lists and maps, but labels and
// annotations, are replaced and not changed.
type Memory[T any] struct {
	engine *engine.Engine
	stored map[Key]*T
}

// NewMemory returns the memory of a kind without objects.
func NewMemory[T any](e *engine.Engine) *Memory[T] {
	return &Memory[T]{engine: e, stored: map[Key]*T{}}
}

// Copy is a copy of an object.
func Copy[T any](object *T) *T {
	made := *object
	meta := objects.MetaOf(&made)
	meta.Labels, meta.Annotations = maps.Clone(meta.Labels), maps.Clone(meta.Annotations)
	return &made
}

// Get implements objects.Client.
func (m *Memory[T]) Get(namespace, name string) (*T, error) {
	if there := m.stored[Key{namespace, name}]; there != nil {
		return Copy(there), nil
	}
	return nil, nil
}

// List implements objects.Client: the objects are sorted by namespace and name.
func (m *Memory[T]) List(namespace string, labels map[string]string) ([]*T, error) {
	var found []Key
	for key, there := range m.stored {
		if (namespace == "" || key.Namespace == namespace) && hasLabels(objects.MetaOf(there).Labels, labels) {
			found = append(found, key)
		}
	}
	slices.SortFunc(found, Key.Compare)
	list := make([]*T, len(found))
	for i, key := range found {
		list[i] = Copy(m.stored[key])
	}
	return list, nil
}

func hasLabels(have, want map[string]string) bool {
	for name, value := range want {
		if have[name] != value {
			return false
		}
	}
	return true
}

// Part is the specification or status of an object, invalid if its kind has none.
func Part[T any](object *T, name string) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName(name)
}

// Create implements objects.Client.
func (m *Memory[T]) Create(object *T) error {
	meta := objects.MetaOf(object)
	if m.stored[KeyOf(*meta)] != nil {
		return objects.KindOf[T]().Taken(meta.Name)
	}
	meta.UID = fmt.Sprintf("%08d-0000-4000-8000-%012[1]d", m.engine.NextUID())
	meta.Generation, meta.CreationTimestamp = 1, new(m.engine.Now())
	if status := Part(object, "Status"); status.IsValid() {
		status.SetZero()
	}
	m.put(object)
	return nil
}

// Restore stores an object as it was.
func (m *Memory[T]) Restore(object *T) {
	number, _, _ := strings.Cut(objects.MetaOf(object).UID, "-")
	if uid, err := strconv.ParseUint(number, 10, 64); err == nil {
		m.engine.ReserveUID(uid)
	}
	m.put(object)
}

func (m *Memory[T]) put(object *T) {
	meta := objects.MetaOf(object)
	meta.ResourceVersion = strconv.FormatUint(m.engine.NextVersion(), 10)
	m.stored[KeyOf(*meta)] = Copy(object)
}

// Update implements objects.Client: what is unchanged is no write.
func (m *Memory[T]) Update(object *T) error {
	return m.replace(object, func(made, there *T) {
		if status := Part(made, "Status"); status.IsValid() {
			status.Set(Part(there, "Status"))
		}
		if spec := Part(made, "Spec"); spec.IsValid() && !reflect.DeepEqual(spec.Interface(), Part(there, "Spec").Interface()) {
			objects.MetaOf(made).Generation++
		}
	})
}

// UpdateStatus implements objects.Client.
func (m *Memory[T]) UpdateStatus(object *T) error {
	return m.replace(object, func(made, there *T) {
		status := Part(made, "Status").Interface()
		*made = *Copy(there)
		Part(made, "Status").Set(reflect.ValueOf(status))
	})
}

func (m *Memory[T]) replace(object *T, merge func(made, there *T)) error {
	meta := objects.MetaOf(object)
	there := m.stored[KeyOf(*meta)]
	switch {
	case there == nil:
		return objects.KindOf[T]().Missing(meta.Name)
	case meta.ResourceVersion != objects.MetaOf(there).ResourceVersion:
		return objects.KindOf[T]().Modified(meta.Name)
	}
	made := Copy(object)
	merge(made, there)
	if !reflect.DeepEqual(made, there) {
		m.put(made)
	}
	*meta = *objects.MetaOf(Copy(made))
	return nil
}

// Delete implements objects.Client.
func (m *Memory[T]) Delete(namespace, name string) error {
	key := Key{namespace, name}
	if m.stored[key] == nil {
		return objects.KindOf[T]().Missing(name)
	}
	m.engine.NextVersion()
	delete(m.stored, key)
	return nil
}
