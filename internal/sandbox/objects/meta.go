// Package objects has the objects of a cluster that Kuscia's controller reads and
// writes, as plain Go values with the JSON of Kubernetes. Both stores use them: the
// sandbox in memory, testing/kubetest for an API server.
package objects

import (
	"slices"
	"time"
)

// Meta is the metadata of an object.
type Meta struct {
	Namespace         string            `json:"namespace,omitempty"`
	Name              string            `json:"name,omitempty"`
	UID               string            `json:"uid,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	Generation        int64             `json:"generation,omitempty"`
	CreationTimestamp *time.Time        `json:"creationTimestamp,omitempty"`
	DeletionTimestamp *time.Time        `json:"deletionTimestamp,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	Finalizers        []string          `json:"finalizers,omitempty"`
	OwnerReferences   []OwnerReference  `json:"ownerReferences,omitempty"`
}

// OwnerReference is the object with which another one is deleted.
type OwnerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         *bool  `json:"controller,omitempty"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
}

// withMeta are the objects, each of which has a Meta.
type withMeta interface{ meta() *Meta }

// MetaOf is the metadata of an object.
func MetaOf(object any) *Meta {
	return object.(withMeta).meta() //nolint:forcetypeassert // objects are only of such types
}

func (m *Meta) meta() *Meta { return m }

// OwnedBy makes an object the owner of another one.
func OwnedBy[T any](owner *T) []OwnerReference {
	kind, meta := KindOf[T](), MetaOf(owner)
	return []OwnerReference{{
		APIVersion: kind.Version, Kind: kind.Name, Name: meta.Name, UID: meta.UID, Controller: new(true), BlockOwnerDeletion: new(true),
	}}
}

// IsOwnedBy reports whether an object is deleted with the one of this uid.
func (m *Meta) IsOwnedBy(uid string) bool {
	return slices.ContainsFunc(m.OwnerReferences, func(r OwnerReference) bool { return r.UID == uid })
}

// Label sets a label, and reports whether it has changed.
func (m *Meta) Label(name, value string) bool { return set(&m.Labels, name, value) }

// Annotate sets an annotation, and reports whether it has changed.
func (m *Meta) Annotate(name, value string) bool { return set(&m.Annotations, name, value) }

func set(in *map[string]string, name, value string) bool {
	if there, ok := (*in)[name]; ok && there == value {
		return false
	}
	if *in == nil {
		*in = map[string]string{}
	}
	(*in)[name] = value
	return true
}

// The kinds of ports by the parties that can reach them; a port of another scope has
// no Service.
const (
	ScopeCluster = "Cluster"
	ScopeDomain  = "Domain"
)

// Labels of the objects of a KusciaDeployment.
const (
	LabelName           = "kuscia.secretflow/kd-name"
	LabelUID            = "kuscia.secretflow/kd-uid"
	LabelOwnerNamespace = "kuscia.secretflow/owner_namespace"
	LabelDeployment     = "kuscia.secretflow/deployment-name"
	LabelController     = "kuscia.secretflow/controller"
	LabelAppType        = "kuscia.secretflow/app-type"
	LabelPortScope      = "kuscia.secretflow/port-scope"
)

// AnnotationTemplates is the annotation of a pod with the name of the volume whose files are
// config templates.
const AnnotationTemplates = "kuscia.secretflow/config-template-volumes"

// CrossDomain is the only namespace whose KusciaDeployments Kuscia processes.
const CrossDomain = "cross-domain"
