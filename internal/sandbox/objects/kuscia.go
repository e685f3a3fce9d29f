package objects

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// KusciaDeployment is a KusciaDeployment. The controller writes whole objects of this
// type, which adds fields that no client has set.
type KusciaDeployment struct {
	Meta   `json:"metadata"`
	Spec   KusciaDeploymentSpec   `json:"spec"`
	Status KusciaDeploymentStatus `json:"status"`
}

// KusciaDeploymentSpec is the desired state.
type KusciaDeploymentSpec struct {
	Initiator   string  `json:"initiator"`
	InputConfig string  `json:"inputConfig"`
	Parties     []Party `json:"parties"`
}

// Party is one party of a KusciaDeployment.
type Party struct {
	DomainID          string        `json:"domainID"`
	AppImageRef       string        `json:"appImageRef"`
	Role              string        `json:"role,omitempty"`
	Template          PartyTemplate `json:"template"`
	ServiceNamePrefix string        `json:"serviceNamePrefix,omitempty"`
}

// PartyTemplate are the settings of a party that override the app image.
type PartyTemplate struct {
	Replicas *int32    `json:"replicas,omitempty"`
	Strategy *Strategy `json:"strategy,omitempty"`
	Spec     PartySpec `json:"spec"`
}

// PartySpec contains the containers of an app image, or the overrides of a party.
type PartySpec struct {
	Containers    []Container `json:"containers,omitempty"`
	RestartPolicy string      `json:"restartPolicy,omitempty"`
	Affinity      *Affinity   `json:"affinity,omitempty"`
}

// Container is a container of an app image, or the overrides of a party.
type Container struct {
	Name               string              `json:"name"`
	Command            []string            `json:"command,omitempty"`
	Args               []string            `json:"args,omitempty"`
	WorkingDir         string              `json:"workingDir"`
	ConfigVolumeMounts []ConfigVolumeMount `json:"configVolumeMounts,omitempty"`
	Ports              []Port              `json:"ports,omitempty"`
	EnvFrom            []EnvFromSource     `json:"envFrom,omitempty"`
	Env                []EnvVar            `json:"env,omitempty"`
	Resources          Resources           `json:"resources"`
	LivenessProbe      *Probe              `json:"livenessProbe,omitempty"`
	ReadinessProbe     *Probe              `json:"readinessProbe,omitempty"`
	StartupProbe       *Probe              `json:"startupProbe,omitempty"`
	MetricProbe        *MetricProbe        `json:"metricProbe,omitempty"`
	ImagePullPolicy    string              `json:"imagePullPolicy,omitempty"`
	SecurityContext    map[string]any      `json:"securityContext,omitempty"`
}

// ConfigVolumeMount mounts a configuration template into a container.
type ConfigVolumeMount struct {
	MountPath string `json:"mountPath"`
	SubPath   string `json:"subPath"`
}

// Port is a port whose number Kuscia allocates.
type Port struct {
	Name     string `json:"name"`
	Port     int32  `json:"port,omitempty"`
	Protocol string `json:"protocol,omitempty"`
	Scope    string `json:"scope,omitempty"`
}

// MetricProbe is the endpoint of metrics.
type MetricProbe struct {
	Path string `json:"path,omitempty"`
	Port string `json:"port,omitempty"`
}

// Resources are the resources of a container.
type Resources struct {
	Limits   map[string]resource.Quantity `json:"limits,omitempty"`
	Requests map[string]resource.Quantity `json:"requests,omitempty"`
}

// Equal reports whether two containers have the same amounts.
func (r Resources) Equal(other Resources) bool {
	return sameAmounts(r.Limits, other.Limits) && sameAmounts(r.Requests, other.Requests)
}

func sameAmounts(a, b map[string]resource.Quantity) bool {
	for name, amount := range a {
		if other, ok := b[name]; !ok || amount.Cmp(other) != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// The phases of a KusciaDeployment and of a party.
const (
	PhaseProgressing      = "Progressing"
	PhasePartialAvailable = "PartialAvailable"
	PhaseAvailable        = "Available"
	PhaseFailed           = "Failed"
)

// KusciaDeploymentStatus is the status of a KusciaDeployment.
type KusciaDeploymentStatus struct {
	Phase             string     `json:"phase,omitempty"`
	Reason            string     `json:"reason,omitempty"`
	Message           string     `json:"message,omitempty"`
	LastReconcileTime *time.Time `json:"lastReconcileTime,omitempty"`
	TotalParties      int        `json:"totalParties"`
	AvailableParties  int        `json:"availableParties"`
	// PartyDeploymentStatuses are those of the Deployments, by namespace and name.
	PartyDeploymentStatuses map[string]map[string]*PartyStatus `json:"partyDeploymentStatuses,omitempty"`
}

// Clone returns a copy whose parties can be replaced.
func (s KusciaDeploymentStatus) Clone() KusciaDeploymentStatus {
	made := s
	if s.PartyDeploymentStatuses == nil {
		return made
	}
	made.PartyDeploymentStatuses = map[string]map[string]*PartyStatus{}
	for domain, parties := range s.PartyDeploymentStatuses {
		made.PartyDeploymentStatuses[domain] = map[string]*PartyStatus{}
		for name, party := range parties {
			made.PartyDeploymentStatuses[domain][name] = party
		}
	}
	return made
}

// PartyStatus is the status of one Deployment.
type PartyStatus struct {
	Phase               string      `json:"phase,omitempty"`
	Role                string      `json:"role,omitempty"`
	Replicas            int32       `json:"replicas"`
	UpdatedReplicas     int32       `json:"updatedReplicas"`
	AvailableReplicas   int32       `json:"availableReplicas"`
	UnavailableReplicas int32       `json:"unavailableReplicas"`
	Conditions          []Condition `json:"conditions,omitempty"`
	CreationTimestamp   *time.Time  `json:"creationTimestamp,omitempty"`
}

// AppImage is an app image.
type AppImage struct {
	Meta `json:"metadata"`
	Spec AppImageSpec `json:"spec"`
}

// AppImageSpec contains the image and its deploy templates.
type AppImageSpec struct {
	ConfigTemplates map[string]string `json:"configTemplates,omitempty"`
	DeployTemplates []DeployTemplate  `json:"deployTemplates"`
	Image           Image             `json:"image"`
}

// Image is an image with its tag.
type Image struct {
	Name string `json:"name"`
	Tag  string `json:"tag"`
	ID   string `json:"id,omitempty"`
	Sign string `json:"sign,omitempty"`
}

// Reference is the image as a container has it.
func (i Image) Reference() string { return i.Name + ":" + i.Tag }

// DeployTemplate is the template for the pods of a role.
type DeployTemplate struct {
	Name          string         `json:"name"`
	Role          string         `json:"role,omitempty"`
	Replicas      *int32         `json:"replicas,omitempty"`
	NetworkPolicy map[string]any `json:"networkPolicy,omitempty"`
	Spec          PartySpec      `json:"spec"`
}
