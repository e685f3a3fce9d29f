package movestate

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Kind is a kind of object that resources of other providers can manage. Each
// resource declares its own.
type Kind struct {
	// Title is the name of the object in messages, such as "domain".
	Title string
	// Request recognizes the request that creates the object.
	Request Request
	// Manifest recognizes the object in Kubernetes; its Kind is "" if the
	// object is not there.
	Manifest Manifest
}

// Request recognizes a request that creates an object.
type Request struct {
	// Elements is the member with the list of the objects to create, which must
	// be one; "" if the request is the object.
	Elements string
	// IdentifyingAttribute is the member that these requests have: a list, or a text that is not
	// empty.
	IdentifyingAttribute string
	// ID are the members that form the import id.
	ID []string
	// References are members that identify objects of other kinds, and may be
	// the mark of those.
	References []string
}

// Manifest recognizes an object in Kubernetes.
type Manifest struct {
	// Group is the API group, and Kind the kind.
	Group, Kind string
	// Namespaced: the import id is the namespace and the name. Otherwise it is
	// the name.
	Namespaced bool
	// Namespace is the only namespace whose objects have a resource; "" if every
	// namespace is possible, or none.
	Namespace string
	// Spec are the members of spec that form the import id, in place of the
	// name.
	Spec []string
}

// Target is a resource into which states of other providers can be moved.
type Target interface {
	// MovedKind is the kind of object that the resource manages. Without a
	// title, nothing can be moved into it.
	MovedKind() Kind
	// SetKinds sets the kinds of all resources.
	SetKinds(all []Kind)
}

// KindsSetter implements Target.SetKinds.
type KindsSetter struct{ all []Kind }

// SetKinds stores the kinds of all resources.
func (k *KindsSetter) SetKinds(all []Kind) { k.all = all }

// Kinds are the kinds of all resources.
func (k *KindsSetter) Kinds() []Kind { return k.all }

// KindsOf returns the kinds of resources.
func KindsOf(resources []func() resource.Resource) []Kind {
	var kinds []Kind
	for _, factory := range resources {
		if target, ok := factory().(Target); ok && target.MovedKind().Title != "" {
			kinds = append(kinds, target.MovedKind())
		}
	}
	return kinds
}

// WithSharedKinds returns the same resources, each of which knows the kinds of the others,
// so that it can say what a state that it refuses is, and does not take an
// object for another one that it refers to.
func WithSharedKinds(resources []func() resource.Resource) []func() resource.Resource {
	kinds := KindsOf(resources)
	shared := slices.Clone(resources)
	for i, factory := range resources {
		shared[i] = func() resource.Resource {
			r := factory()
			if target, ok := r.(Target); ok {
				target.SetKinds(kinds)
			}
			return r
		}
	}
	return shared
}
