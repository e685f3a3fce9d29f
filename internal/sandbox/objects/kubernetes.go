package objects

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// Deployment is a Deployment, with what Kuscia reads and writes of it.
type Deployment struct {
	Meta   `json:"metadata"`
	Spec   DeploymentSpec   `json:"spec"`
	Status DeploymentStatus `json:"status"`
}

// DeploymentSpec is the desired state of a Deployment.
type DeploymentSpec struct {
	Replicas *int32         `json:"replicas,omitempty"`
	Selector *LabelSelector `json:"selector,omitempty"`
	Template PodTemplate    `json:"template"`
	Strategy Strategy       `json:"strategy"`
	Paused   bool           `json:"paused,omitempty"`
}

// Pods is the desired number of pods.
func (s DeploymentSpec) Pods() int32 {
	if s.Replicas == nil {
		return 1
	}
	return *s.Replicas
}

// LabelSelector selects objects by labels.
type LabelSelector struct {
	MatchLabels      map[string]string `json:"matchLabels,omitempty"`
	MatchExpressions []any             `json:"matchExpressions,omitempty"`
}

// The types of a Strategy.
const (
	RollingUpdate = "RollingUpdate"
	Recreate      = "Recreate"
)

// Strategy is how pods are replaced.
type Strategy struct {
	Type          string  `json:"type,omitempty"`
	RollingUpdate *Bounds `json:"rollingUpdate,omitempty"`
}

// Equal reports whether two strategies are equal.
func (s Strategy) Equal(other Strategy) bool {
	if s.Type != other.Type || (s.RollingUpdate == nil) != (other.RollingUpdate == nil) {
		return false
	}
	return s.RollingUpdate == nil ||
		sameLimit(s.RollingUpdate.MaxSurge, other.RollingUpdate.MaxSurge) && sameLimit(s.RollingUpdate.MaxUnavailable, other.RollingUpdate.MaxUnavailable)
}

func sameLimit(a, b *intstr.IntOrString) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Bounds are the bounds of a rolling update.
type Bounds struct {
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	MaxSurge       *intstr.IntOrString `json:"maxSurge,omitempty"`
}

// DeploymentStatus is the status of a Deployment.
type DeploymentStatus struct {
	ObservedGeneration  int64       `json:"observedGeneration,omitempty"`
	Replicas            int32       `json:"replicas,omitempty"`
	UpdatedReplicas     int32       `json:"updatedReplicas,omitempty"`
	ReadyReplicas       int32       `json:"readyReplicas,omitempty"`
	AvailableReplicas   int32       `json:"availableReplicas,omitempty"`
	UnavailableReplicas int32       `json:"unavailableReplicas,omitempty"`
	Conditions          []Condition `json:"conditions,omitempty"`
}

// Equal reports whether two statuses are equal.
func (s DeploymentStatus) Equal(other DeploymentStatus) bool {
	return s.Replicas == other.Replicas && s.UpdatedReplicas == other.UpdatedReplicas && s.ReadyReplicas == other.ReadyReplicas &&
		s.AvailableReplicas == other.AvailableReplicas && s.UnavailableReplicas == other.UnavailableReplicas &&
		slices.Equal(s.Conditions, other.Conditions)
}

// Condition is a condition of a Deployment.
type Condition struct {
	Type               string    `json:"type"`
	Status             string    `json:"status"`
	LastUpdateTime     time.Time `json:"lastUpdateTime"`
	LastTransitionTime time.Time `json:"lastTransitionTime"`
	Reason             string    `json:"reason,omitempty"`
	Message            string    `json:"message,omitempty"`
}

// PodTemplate is the template of a Deployment's pods.
type PodTemplate struct {
	Meta Meta    `json:"metadata"`
	Spec PodSpec `json:"spec"`
}

// PodSpec is what Kuscia sets of a pod.
type PodSpec struct {
	Volumes                      []Volume          `json:"volumes,omitempty"`
	Containers                   []PodContainer    `json:"containers"`
	NodeSelector                 map[string]string `json:"nodeSelector,omitempty"`
	AutomountServiceAccountToken *bool             `json:"automountServiceAccountToken,omitempty"`
	Affinity                     *Affinity         `json:"affinity,omitempty"`
	SchedulerName                string            `json:"schedulerName,omitempty"`
	Tolerations                  []Toleration      `json:"tolerations,omitempty"`
}

// Volume is a volume with a ConfigMap.
type Volume struct {
	Name      string           `json:"name"`
	ConfigMap *ObjectReference `json:"configMap,omitempty"`
}

// Toleration tolerates a taint of a node.
type Toleration struct {
	Key      string `json:"key,omitempty"`
	Operator string `json:"operator,omitempty"`
	Effect   string `json:"effect,omitempty"`
}

// PodContainer is a container of a pod.
type PodContainer struct {
	Name                     string          `json:"name"`
	Image                    string          `json:"image,omitempty"`
	Command                  []string        `json:"command,omitempty"`
	Args                     []string        `json:"args,omitempty"`
	WorkingDir               string          `json:"workingDir,omitempty"`
	Ports                    []ContainerPort `json:"ports,omitempty"`
	EnvFrom                  []EnvFromSource `json:"envFrom,omitempty"`
	Env                      []EnvVar        `json:"env,omitempty"`
	Resources                Resources       `json:"resources"`
	VolumeMounts             []VolumeMount   `json:"volumeMounts,omitempty"`
	LivenessProbe            *Probe          `json:"livenessProbe,omitempty"`
	ReadinessProbe           *Probe          `json:"readinessProbe,omitempty"`
	StartupProbe             *Probe          `json:"startupProbe,omitempty"`
	TerminationMessagePolicy string          `json:"terminationMessagePolicy,omitempty"`
	ImagePullPolicy          string          `json:"imagePullPolicy,omitempty"`
	SecurityContext          map[string]any  `json:"securityContext,omitempty"`
}

// ContainerPort is a port of a pod.
type ContainerPort struct {
	Name          string `json:"name,omitempty"`
	ContainerPort int32  `json:"containerPort"`
	Protocol      string `json:"protocol,omitempty"`
}

// VolumeMount mounts a volume into a container.
type VolumeMount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	SubPath   string `json:"subPath,omitempty"`
}

// EnvVar is an environment variable.
type EnvVar struct {
	Name      string         `json:"name"`
	Value     string         `json:"value,omitempty"`
	ValueFrom map[string]any `json:"valueFrom,omitempty"`
}

// EnvFromSource has variables from an object.
type EnvFromSource struct {
	Prefix       string           `json:"prefix,omitempty"`
	ConfigMapRef *ObjectReference `json:"configMapRef,omitempty"`
	SecretRef    *ObjectReference `json:"secretRef,omitempty"`
}

// ObjectReference is the name of an object.
type ObjectReference struct {
	Name     string `json:"name,omitempty"`
	Optional *bool  `json:"optional,omitempty"`
}

// Probe is how the kubelet checks a container.
type Probe struct {
	Exec                          *Exec      `json:"exec,omitempty"`
	HTTPGet                       *HTTPGet   `json:"httpGet,omitempty"`
	TCPSocket                     *TCPSocket `json:"tcpSocket,omitempty"`
	GRPC                          *GRPC      `json:"grpc,omitempty"`
	InitialDelaySeconds           int32      `json:"initialDelaySeconds,omitempty"`
	TimeoutSeconds                int32      `json:"timeoutSeconds,omitempty"`
	PeriodSeconds                 int32      `json:"periodSeconds,omitempty"`
	SuccessThreshold              int32      `json:"successThreshold,omitempty"`
	FailureThreshold              int32      `json:"failureThreshold,omitempty"`
	TerminationGracePeriodSeconds *int64     `json:"terminationGracePeriodSeconds,omitempty"`
}

// Exec is a probe that runs a command.
type Exec struct {
	Command []string `json:"command,omitempty"`
}

// HTTPGet is a probe that sends a request.
type HTTPGet struct {
	Path        string             `json:"path,omitempty"`
	Port        intstr.IntOrString `json:"port"`
	Host        string             `json:"host,omitempty"`
	Scheme      string             `json:"scheme,omitempty"`
	HTTPHeaders []HTTPHeader       `json:"httpHeaders,omitempty"`
}

// HTTPHeader is a header of a request.
type HTTPHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// TCPSocket is a probe that opens a connection.
type TCPSocket struct {
	Port intstr.IntOrString `json:"port"`
	Host string             `json:"host,omitempty"`
}

// GRPC is a probe of a gRPC server.
type GRPC struct {
	Port    int32   `json:"port"`
	Service *string `json:"service,omitempty"`
}

// Affinity is where pods prefer to run.
type Affinity struct {
	NodeAffinity    map[string]any `json:"nodeAffinity,omitempty"`
	PodAffinity     *PodAffinity   `json:"podAffinity,omitempty"`
	PodAntiAffinity *PodAffinity   `json:"podAntiAffinity,omitempty"`
}

// PodAffinity is where pods run relative to others.
type PodAffinity struct {
	Required  []AffinityTerm         `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
	Preferred []WeightedAffinityTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

// WeightedAffinityTerm is a term with a weight.
type WeightedAffinityTerm struct {
	Weight          int32        `json:"weight"`
	PodAffinityTerm AffinityTerm `json:"podAffinityTerm"`
}

// AffinityTerm selects pods on nodes.
type AffinityTerm struct {
	LabelSelector     *LabelSelector `json:"labelSelector,omitempty"`
	Namespaces        []string       `json:"namespaces,omitempty"`
	TopologyKey       string         `json:"topologyKey"`
	NamespaceSelector *LabelSelector `json:"namespaceSelector,omitempty"`
}

// Selecting returns the affinity with the selector of pods in each term.
func (a Affinity) Selecting(selector *LabelSelector) *Affinity {
	a.PodAffinity, a.PodAntiAffinity = a.PodAffinity.selecting(selector), a.PodAntiAffinity.selecting(selector)
	return &a
}

func (a *PodAffinity) selecting(selector *LabelSelector) *PodAffinity {
	if a == nil {
		return nil
	}
	made := PodAffinity{slices.Clone(a.Required), slices.Clone(a.Preferred)}
	for i := range made.Required {
		made.Required[i].LabelSelector = selector
	}
	for i := range made.Preferred {
		made.Preferred[i].PodAffinityTerm.LabelSelector = selector
	}
	return &made
}

// Service is a Service.
type Service struct {
	Meta `json:"metadata"`
	Spec ServiceSpec `json:"spec"`
}

// ServiceSpec is the desired state of a Service.
type ServiceSpec struct {
	Type            string            `json:"type,omitempty"`
	ClusterIP       string            `json:"clusterIP,omitempty"`
	SessionAffinity string            `json:"sessionAffinity,omitempty"`
	Selector        map[string]string `json:"selector,omitempty"`
	Ports           []ServicePort     `json:"ports,omitempty"`
}

// ServicePort is a port of a Service.
type ServicePort struct {
	Name       string             `json:"name,omitempty"`
	Protocol   string             `json:"protocol,omitempty"`
	Port       int32              `json:"port"`
	TargetPort intstr.IntOrString `json:"targetPort"`
}

// ConfigMap is a ConfigMap.
type ConfigMap struct {
	Meta `json:"metadata"`
	Data map[string]string `json:"data,omitempty"`
}
