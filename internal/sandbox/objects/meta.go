// Package objects has the objects of a cluster that Kuscia's controller reads and
// writes, as plain Go values with the JSON of Kubernetes. Both stores use them: the
// sandbox in memory, testing/kubetest for an API server.
package objects

import "time"

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
	OwnerReferences   []any             `json:"ownerReferences,omitempty"`
}

// Annotate sets an annotation, and reports whether it has changed.
func (m *Meta) Annotate(name, value string) bool {
	if m.Annotations[name] == value {
		return false
	}
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[name] = value
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

// CrossDomain is the only namespace whose KusciaDeployments Kuscia processes.
const CrossDomain = "cross-domain"
