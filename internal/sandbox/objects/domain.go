package objects

import "maps"

// Domain is a domain; one with a role is a partner's.
type Domain struct {
	Meta   `json:"metadata"`
	Spec   DomainSpec   `json:"spec"`
	Status DomainStatus `json:"status"`
}

// DomainStatus has the nodes of a domain, and the tokens with which others join.
type DomainStatus struct {
	NodeStatuses        []NodeStatus  `json:"nodeStatuses,omitempty"`
	DeployTokenStatuses []DeployToken `json:"deployTokenStatuses,omitempty"`
}

// NodeStatus is the status of a node.
type NodeStatus struct {
	Name               string `json:"name"`
	Status             string `json:"status"`
	Version            string `json:"version"`
	LastHeartbeatTime  string `json:"lastHeartbeatTime,omitempty"`
	LastTransitionTime string `json:"lastTransitionTime,omitempty"`
}

// The states of a deploy token.
const (
	TokenUnused = "unused"
	TokenUsed   = "used"
)

// DeployToken is a token with which a node joins.
type DeployToken struct {
	Token              string `json:"token"`
	State              string `json:"state"`
	LastTransitionTime string `json:"lastTransitionTime,omitempty"`
}

// Namespace is the namespace of a domain.
type Namespace struct {
	Meta `json:"metadata"`
}

// LabelDomainAuth marks a domain that has got what its node needs, among it the route to
// the master.
const (
	LabelDomainAuth = "kuscia.secretflow/domain-auth"
	AuthCompleted   = "completed"
)

// DomainSpec is what the KusciaAPI stores of a domain.
type DomainSpec struct {
	Role string `json:"role,omitempty"`
	Cert string `json:"cert,omitempty"`
	// Master is the domain of its master.
	Master             string         `json:"master,omitempty"`
	InterConnProtocols []string       `json:"interConnProtocols,omitempty"`
	AuthCenter         *AuthCenter    `json:"authCenter,omitempty"`
	ResourceQuota      map[string]any `json:"resourceQuota,omitempty"`
}

// AuthCenter is how the nodes of a domain prove who they are.
type AuthCenter struct {
	AuthenticationType string `json:"authenticationType"`
	TokenGenMethod     string `json:"tokenGenMethod"`
}

// Labels of the namespace of a domain.
const (
	LabelMetadataName   = "kubernetes.io/metadata.name"
	LabelDomain         = "kuscia.secretflow/domain-name"
	LabelDomainDeleted  = "kuscia.secretflow/deleted"
	LabelDomainRole     = "kuscia.secretflow/role"
	LabelDomainProtocol = "kuscia.secretflow/interconn-protocols"
)

// LabelNamespace gives the namespace of a domain its labels, nil for one that was deleted,
// whose namespace remains. It returns those that the namespace shall have.
func LabelNamespace(d *Domain, labels map[string]string) map[string]string {
	made := maps.Clone(labels)
	if made == nil {
		made = map[string]string{}
	}
	if d == nil {
		made[LabelDomainDeleted] = "true"
		return made
	}
	delete(made, LabelDomainDeleted)
	if made[LabelDomain] == "" {
		made[LabelDomain] = d.Meta.Name
	}
	protocol := ""
	if len(d.Spec.InterConnProtocols) > 0 {
		protocol = d.Spec.InterConnProtocols[0]
	}
	for name, value := range map[string]string{LabelDomainRole: d.Spec.Role, LabelDomainProtocol: protocol} {
		delete(made, name)
		if value != "" {
			made[name] = value
		}
	}
	return made
}
