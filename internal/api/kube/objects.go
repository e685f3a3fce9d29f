package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Metadata has the used fields of an object's metadata.
type Metadata struct {
	Name            string `json:"name"`
	Namespace       string `json:"namespace,omitempty"`
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	Generation      int64  `json:"generation,omitempty"`
	// CreationTimestamp is in RFC 3339, in whole seconds.
	CreationTimestamp string `json:"creationTimestamp,omitempty"`
	// DeletionTimestamp is "" unless the object was deleted and waits for its
	// finalizers.
	DeletionTimestamp string            `json:"deletionTimestamp,omitempty"`
	Finalizers        []string          `json:"finalizers,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
}

// Deleting reports whether the object was deleted and waits for its finalizers.
func (m Metadata) Deleting() bool { return m.DeletionTimestamp != "" }

// The labels and annotations of Kuscia.
const (
	LabelKDName            = "kuscia.secretflow/kd-name"
	LabelKDUID             = "kuscia.secretflow/kd-uid"
	LabelDeploymentName    = "kuscia.secretflow/deployment-name"
	AnnotationAffinityMode = "kuscia.secretflow/affinity-mode"
	annotationPorts        = "kuscia.secretflow/allocated-ports"
)

// CrossDomain is the namespace of KusciaDeployments; Kuscia ignores those in
// other namespaces.
const CrossDomain = "cross-domain"

// IntOrString is a quantity, or a count or percentage, as a string; in JSON it
// may be a number, as with x-kubernetes-int-or-string.
type IntOrString string

// UnmarshalJSON decodes strings and numbers.
func (v *IntOrString) UnmarshalJSON(data []byte) error {
	var text string
	if bytes.HasPrefix(data, []byte{'"'}) {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*v = IntOrString(text)
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(data, &number); err != nil {
		return fmt.Errorf("expected a string or a number: %w", err)
	}
	*v = IntOrString(number.String())
	return nil
}

// Resources are the requests and limits of a container.
type Resources struct {
	Requests map[string]IntOrString `json:"requests,omitempty"`
	Limits   map[string]IntOrString `json:"limits,omitempty"`
}

// Strategy is the update strategy of a Deployment.
type Strategy struct {
	Type          string         `json:"type,omitempty"`
	RollingUpdate *RollingUpdate `json:"rollingUpdate,omitempty"`
}

// RollingUpdate has the parameters of a rolling update.
type RollingUpdate struct {
	MaxSurge       *IntOrString `json:"maxSurge,omitempty"`
	MaxUnavailable *IntOrString `json:"maxUnavailable,omitempty"`
}

// KusciaDeployment has the fields that the provider reads.
type KusciaDeployment struct {
	Metadata Metadata               `json:"metadata"`
	Spec     KusciaDeploymentSpec   `json:"spec"`
	Status   KusciaDeploymentStatus `json:"status"`
}

// AllocatedPorts are the names of the ports that Kuscia has allocated to a
// party; known is false before the allocation, and for a party of another
// control plane.
func (kd *KusciaDeployment) AllocatedPorts(domainID, role string) (names []string, known bool) {
	var parties []struct {
		DomainID string           `json:"domainID"`
		Role     string           `json:"role"`
		Ports    map[string]int32 `json:"namedPort"`
	}
	if httpapi.DecodeText(kd.Metadata.Annotations[annotationPorts], &parties) != nil {
		return nil, false
	}
	for _, p := range parties {
		if p.DomainID == domainID && p.Role == role {
			return slices.Sorted(maps.Keys(p.Ports)), true
		}
	}
	return nil, false
}

// KusciaDeploymentSpec is the desired state.
type KusciaDeploymentSpec struct {
	Initiator   string                  `json:"initiator"`
	InputConfig string                  `json:"inputConfig"`
	Parties     []KusciaDeploymentParty `json:"parties"`
}

// KusciaDeploymentParty is a party.
type KusciaDeploymentParty struct {
	DomainID          string        `json:"domainID"`
	Role              string        `json:"role,omitempty"`
	AppImageRef       string        `json:"appImageRef"`
	ServiceNamePrefix string        `json:"serviceNamePrefix,omitempty"`
	Template          PartyTemplate `json:"template"`
}

// PartyTemplate overrides the template of the app image.
type PartyTemplate struct {
	Replicas *int64       `json:"replicas,omitempty"`
	Strategy *Strategy    `json:"strategy,omitempty"`
	Spec     PartyPodSpec `json:"spec"`
}

// PartyPodSpec has the settings of a party's pods that Kuscia uses.
type PartyPodSpec struct {
	Containers []PartyContainer `json:"containers,omitempty"`
	Affinity   *Affinity        `json:"affinity,omitempty"`
}

// PartyContainer has the resources of a container of the app image.
type PartyContainer struct {
	Name      string    `json:"name"`
	Resources Resources `json:"resources"`
	// Ports are those of a container of an app image.
	Ports []ContainerPort `json:"ports,omitempty"`
}

// ContainerPort is a port of a container of an app image.
type ContainerPort struct {
	Name string `json:"name"`
	// Port is its number, which Kuscia does not use since v0.9; 0: none.
	Port int64 `json:"port,omitempty"`
	// Scope is Cluster, Domain or Local; ports of the first two have Services.
	Scope string `json:"scope,omitempty"`
}

// Affinity records which kinds of affinity are set.
type Affinity struct {
	PodAffinity     json.RawMessage `json:"podAffinity,omitempty"`
	PodAntiAffinity json.RawMessage `json:"podAntiAffinity,omitempty"`
}

// KusciaDeploymentStatus is the observed state. It does not show that an update
// failed.
type KusciaDeploymentStatus struct {
	Phase            string `json:"phase,omitempty"`
	Reason           string `json:"reason,omitempty"`
	Message          string `json:"message,omitempty"`
	TotalParties     int64  `json:"totalParties,omitempty"`
	AvailableParties int64  `json:"availableParties,omitempty"`
	// PartyDeploymentStatuses are those of the parties, by domain and name of the Deployment.
	PartyDeploymentStatuses map[string]map[string]PartyDeploymentStatus `json:"partyDeploymentStatuses,omitempty"`
}

// PartyDeploymentStatus has the fields that the provider reads.
type PartyDeploymentStatus struct {
	Phase             string `json:"phase,omitempty"`
	AvailableReplicas int32  `json:"availableReplicas,omitempty"`
}

// PhaseFailed is the phase of a KusciaDeployment that Kuscia does not retry.
const PhaseFailed = "Failed"

// AppImage has the fields that the provider reads.
type AppImage struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		Image struct {
			Name string `json:"name"`
			Tag  string `json:"tag"`
		} `json:"image"`
		DeployTemplates []DeployTemplate `json:"deployTemplates"`
	} `json:"spec"`
}

// DeployTemplate defines how an app image runs in a role.
type DeployTemplate struct {
	Name string `json:"name"`
	Role string `json:"role,omitempty"`
	// Replicas is the number of pods of a party that does not set it. Kuscia
	// takes nil as 1. KusciaAPI stores 0 if a request leaves it out.
	Replicas *int64 `json:"replicas,omitempty"`
	Spec     struct {
		Containers []PartyContainer `json:"containers"`
	} `json:"spec"`
}

// Reference is the reference of the container image in the pods.
func (a *AppImage) Reference() string { return a.Spec.Image.Name + ":" + a.Spec.Image.Tag }

// Domain has the fields that the provider reads.
type Domain struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		// Role is "" for a domain of this cluster, and partner for a domain of
		// another one.
		Role string `json:"role,omitempty"`
	} `json:"spec"`
}

// Deployment has the fields that the provider reads.
type Deployment struct {
	Metadata Metadata         `json:"metadata"`
	Spec     DeploymentSpec   `json:"spec"`
	Status   DeploymentStatus `json:"status"`
}

// DeploymentSpec is the desired state.
type DeploymentSpec struct {
	Replicas *int64 `json:"replicas,omitempty"`
	Paused   bool   `json:"paused,omitempty"`
	Selector struct {
		MatchLabels map[string]string `json:"matchLabels,omitempty"`
	} `json:"selector"`
	Strategy Strategy `json:"strategy"`
	Template struct {
		Spec struct {
			Containers []Container `json:"containers"`
		} `json:"spec"`
	} `json:"template"`
}

// Container is a container of a pod.
type Container struct {
	Name      string    `json:"name"`
	Image     string    `json:"image"`
	Env       []EnvVar  `json:"env,omitempty"`
	Resources Resources `json:"resources"`
}

// EnvVar is an environment variable of a container.
type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// DeploymentStatus is the observed state.
type DeploymentStatus struct {
	ObservedGeneration int64       `json:"observedGeneration,omitempty"`
	Replicas           int64       `json:"replicas,omitempty"`
	UpdatedReplicas    int64       `json:"updatedReplicas,omitempty"`
	ReadyReplicas      int64       `json:"readyReplicas,omitempty"`
	AvailableReplicas  int64       `json:"availableReplicas,omitempty"`
	Conditions         []Condition `json:"conditions,omitempty"`
}

// Condition is a condition of an object.
type Condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// LastUpdateTime is in RFC 3339, in whole seconds. Only Deployments have
	// it.
	LastUpdateTime string `json:"lastUpdateTime,omitempty"`
}
