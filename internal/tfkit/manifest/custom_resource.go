package manifest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// CustomResource is what Kuscia stores for an object of the KusciaAPI, where it has fields that the
// KusciaAPI does not carry or does not return. Other clients may set them, and a change through the
// KusciaAPI may remove them.
type CustomResource[W any] struct {
	Kind kube.Kind
	// Name returns namespace, "" for a cluster-scoped kind, and name.
	Name func(id []string) (namespace, name string)
	// IsOf reports whether a specification is that of an object, where a name does not tell. May be
	// nil.
	IsOf func(id []string, spec Object) bool
	// Fields are those that the KusciaAPI does not carry, Carried those that it does.
	Fields  Fields
	Carried Carried
	// Manifest returns the specification that the KusciaAPI writes, without empty optional fields.
	// nil: the Kubernetes API is only read.
	Manifest func(*W) Object
	// Complete adds what the KusciaAPI writes where nothing else is kept. May be nil.
	Complete func(spec Object)
	// Secrets are texts of an object that no error may contain. May be nil.
	Secrets func(*W) []string
	// WrittenLabels are the labels that an update through the KusciaAPI writes. May be nil.
	WrittenLabels func(*W) map[string]string
	// Metadata reports which labels and annotations are among the fields, by the path of all. May be
	// nil.
	Metadata map[string]func(name string) bool
	// UpdateKeeps reports whether an update through the KusciaAPI leaves a field as it is. nil: it
	// removes each.
	UpdateKeeps func(c Change[W], path string) bool
}

// Change is a change of an object.
type Change[W any] struct {
	ID []string
	// Desired is nil if nothing is known of it, as is Before.
	Desired, Before *W
	// Replaces is set if the object is deleted and created again, which keeps nothing.
	Replaces bool
	// Version returns the version of Kuscia.
	Version func() versions.Version
	// CanKeep is set if the change can go through the Kubernetes API, which keeps all: what an update
	// through the KusciaAPI leaves as it is then has to be certain.
	CanKeep bool
}

// Seen is what a cluster shows of an object.
type Seen struct {
	Client *kube.Client
	// Object is nil if it is not seen. Refused is set if that needs a permission.
	Object  *unstructured.Unstructured
	Refused error
}

// Spec is its specification.
func (s Seen) Spec() Object { return specOf(s.Object) }

func specOf(of *unstructured.Unstructured) Object {
	spec, _ := of.Object["spec"].(Object)
	return spec
}

// Look reads the custom resource of an object. One that a cluster does not have, or does not show, is
// not seen: it may be that of another Kuscia.
func (r *CustomResource[W]) Look(ctx context.Context, client *kube.Client, id []string) (Seen, error) {
	namespace, name := r.Name(id)
	found, err := client.Get(ctx, r.Kind, namespace, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return Seen{Client: client}, nil
	case errors.Is(err, kube.ErrForbidden), errors.Is(err, apierror.ErrUnsupported):
		return Seen{Client: client, Refused: err}, nil
	case err != nil:
		return Seen{}, err
	case r.IsOf != nil && !r.IsOf(id, specOf(found)):
		return Seen{Client: client}, nil
	}
	return Seen{Client: client, Object: found}, nil
}

// manifests are the specifications that the KusciaAPI writes for a desired object and for the one in
// the state; empty and nil if it is not known.
func (r *CustomResource[W]) manifests(desired, before *W) (next, last Object) {
	next = Object{}
	if r.Manifest == nil {
		return next, nil
	}
	if desired != nil {
		next = r.Manifest(desired)
	}
	if before != nil {
		last = r.Manifest(before)
	}
	return next, last
}

// Merge returns the specification of a change that keeps what the KusciaAPI does not carry.
func (r *CustomResource[W]) Merge(found *unstructured.Unstructured, c Change[W]) *Merged {
	if c.Replaces {
		c.Before = nil
	}
	next, last := r.manifests(c.Desired, c.Before)
	merged := Merge(specOf(found), next, last, r.Carried, r.Fields)
	if r.Complete != nil {
		r.Complete(merged.Spec)
	}
	merged.Kept = slices.DeleteFunc(append(merged.Kept, r.metadata(found)...), func(f Found) bool { return !r.Removes(c, f.Name()) })
	return merged
}

// The paths of the metadata that can be among the fields.
const (
	Labels      = "metadata.labels"
	Annotations = "metadata.annotations"
)

// Named are the names of all fields that users are told of.
func (r *CustomResource[W]) Named() []string {
	return append(r.Fields.Named(), slices.Sorted(maps.Keys(r.Metadata))...)
}

// metadata are the labels and annotations of an object that are among the fields.
func (r *CustomResource[W]) metadata(of *unstructured.Unstructured) (found []Found) {
	values := map[string]map[string]string{Labels: of.GetLabels(), Annotations: of.GetAnnotations()}
	for _, path := range slices.Sorted(maps.Keys(r.Metadata)) {
		for _, name := range slices.Sorted(maps.Keys(values[path])) {
			if r.Metadata[path](name) {
				found = append(found, Found{Path: fmt.Sprintf("%s[%q]", path, name), Field: &Field{Path: path}})
			}
		}
	}
	return found
}

// All are the fields that an object has.
func (r *CustomResource[W]) All(of *unstructured.Unstructured) []Found {
	return append(All(specOf(of), r.Carried, r.Fields), r.metadata(of)...)
}

// Patch changes the version of an object that was read.
func (r *CustomResource[W]) Patch(found *unstructured.Unstructured, spec Object, desired *W) []kube.PatchOperation {
	patch := []kube.PatchOperation{
		{Op: "test", Path: "/metadata/resourceVersion", Value: found.GetResourceVersion()},
		{Op: "replace", Path: "/spec", Value: spec},
	}
	if r.WrittenLabels == nil {
		return patch
	}
	if len(found.GetLabels()) == 0 {
		patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/labels", Value: map[string]string{}})
	}
	for name, value := range r.WrittenLabels(desired) {
		patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/labels/" + kube.EscapeJSONPointer(name), Value: value})
	}
	return patch
}

// Removes reports whether a change through the KusciaAPI may remove a field.
func (r *CustomResource[W]) Removes(c Change[W], path string) bool {
	return c.Replaces || r.UpdateKeeps == nil || !r.UpdateKeeps(c, path)
}

// RemovesAny reports whether a change through the KusciaAPI may remove any field.
func (r *CustomResource[W]) RemovesAny(c Change[W]) bool {
	return slices.ContainsFunc(r.Named(), func(path string) bool { return r.Removes(c, path) })
}

// Possible are the fields that an object may have and a change through the KusciaAPI removes: not
// those that the configuration sets, or whose owner the object does not have.
func (r *CustomResource[W]) Possible(c Change[W]) (fields []Found) {
	next, last := r.manifests(c.Desired, c.Before)
	for i := range r.Fields {
		field := &r.Fields[i]
		// One that is carried stands for something in it.
		owner, nested := field.Path, r.Carried.Has(field.Path)
		isSet := !nested && Has(next, field.Path)
		if !nested {
			owner, nested = ownerOf(field.Path)
		}
		if !field.Controller && r.Removes(c, field.Path) && !isSet && (last == nil || !nested || Has(last, owner)) {
			fields = append(fields, Found{Path: field.Path, Field: field})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.Metadata)) {
		if r.Removes(c, path) {
			fields = append(fields, Found{Path: path, Field: &Field{Path: path}})
		}
	}
	return fields
}

// ownerOf is the path of what has a field. nested is false for the specification.
func ownerOf(path string) (owner string, nested bool) {
	at := strings.LastIndex(path, ".")
	return path[:max(at, 0)], at >= 0
}
