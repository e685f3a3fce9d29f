package ief

import "encoding/json"

// Version is a version of the deployment API.
type Version string

// The versions of the deployment API.
const (
	V2 Version = "v2"
	V3 Version = "v3"
)

// CreateRequest is the body of a create request.
type CreateRequest struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Source is userdefined or iem (from the edge market).
	Source  string `json:"source,omitempty"`
	GroupID string `json:"group_id,omitempty"`
	// NodeIDs is sent even if empty: it is documented as mandatory.
	NodeIDs    []string `json:"node_ids"`
	Tags       []Tag    `json:"tags,omitempty"`
	Deployment Spec     `json:"deployment"`
}

// Tag is a tag of a deployment.
type Tag struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Spec is what a new deployment runs.
type Spec struct {
	Replicas    int32        `json:"replicas"`
	Template    Template     `json:"template"`
	Annotations *Annotations `json:"annotations,omitempty"`
}

// Annotations enable additional features of a deployment.
type Annotations struct {
	RingController       string `json:"ring_controller,omitempty"`
	AutonomyEdgeSelector string `json:"autonomy_edge_selector,omitempty"`
}

// Template describes each instance of a deployment.
type Template struct {
	Configs PodConfigs `json:"configs"`
	// Affinity has the form of Kubernetes' affinity.
	Affinity       json.RawMessage `json:"affinity,omitempty"`
	InitContainers []Container     `json:"init_containers,omitempty"`
	Containers     []Container     `json:"containers"`
}

// PodConfigs are the settings of a whole instance.
type PodConfigs struct {
	HostNetwork       bool   `json:"host_network"`
	HostPID           bool   `json:"host_pid,omitempty"`
	Migration         bool   `json:"migration,omitempty"`
	RestartPolicy     string `json:"restart_policy"`
	TolerationSeconds *int32 `json:"toleration_seconds,omitempty"`
	DNSPolicy         string `json:"dns_policy,omitempty"`
}

// Container is a container of an instance.
type Container struct {
	Name           string     `json:"name"`
	ImageURL       string     `json:"image_url"`
	Version        string     `json:"version,omitempty"`
	Command        []string   `json:"command,omitempty"`
	Args           []string   `json:"args,omitempty"`
	Resources      *Resources `json:"resources,omitempty"`
	Envs           []Env      `json:"envs,omitempty"`
	Volumes        []Volume   `json:"volumes,omitempty"`
	Ports          []Port     `json:"ports,omitempty"`
	Privileged     bool       `json:"privileged,omitempty"`
	RunAsUser      *int32     `json:"run_as_user,omitempty"`
	LivenessProbe  *Probe     `json:"liveness_probe,omitempty"`
	ReadinessProbe *Probe     `json:"readiness_probe,omitempty"`
	NPUType        string     `json:"npu_type,omitempty"`
}

// Resources are amounts by name: cpu in cores, memory and gpu in MiB, npu, D310
// and D310B in pieces; numbers without a unit.
type Resources struct {
	Limits   map[string]string `json:"limits,omitempty"`
	Requests map[string]string `json:"requests,omitempty"`
}

// Env is an environment variable. Exactly one of Value, ValueFrom and FieldPath
// is set.
type Env struct {
	Name      string     `json:"name"`
	Value     *string    `json:"value,omitempty"`
	ValueFrom *ValueFrom `json:"value_from,omitempty"`
	FieldPath string     `json:"field_path,omitempty"`
}

// ValueFrom is the source of the value of an environment variable.
type ValueFrom struct {
	Secret    *KeyRef `json:"secret,omitempty"`
	ConfigMap *KeyRef `json:"configmap,omitempty"`
}

// KeyRef is a key of a secret or configuration item of IEF.
type KeyRef struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// Volume is a volume and its mount path in a container.
type Volume struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Source      string `json:"source"`
	Destination string `json:"destination"`
	ReadOnly    *bool  `json:"read_only,omitempty"`
	DefaultMode *int32 `json:"default_mode,omitempty"`
}

// Port maps a port of a container to a port of the node.
type Port struct {
	ContainerPort int32      `json:"container_port"`
	HostPort      int32      `json:"host_port,omitempty"`
	HostIP        string     `json:"host_ip,omitempty"`
	HostPortRange *PortRange `json:"host_port_range,omitempty"`
}

// PortRange is a range of ports of a node.
type PortRange struct {
	MinPort int32 `json:"min_port"`
	MaxPort int32 `json:"max_port"`
}

// Probe is a health check of a container.
type Probe struct {
	Exec                *Exec    `json:"exec,omitempty"`
	HTTPGet             *HTTPGet `json:"http_get,omitempty"`
	InitialDelaySeconds int32    `json:"initial_delay_seconds,omitempty"`
	TimeoutSeconds      int32    `json:"timeout_seconds,omitempty"`
}

// Exec is a probe that runs a command.
type Exec struct {
	Command string `json:"command"`
}

// HTTPGet is a probe that sends an HTTP request.
type HTTPGet struct {
	Path   string `json:"path"`
	Port   int32  `json:"port"`
	Host   string `json:"host,omitempty"`
	Scheme string `json:"scheme,omitempty"`
}

// UpdateRequest is the body of an update request. Deployment replaces the whole
// template; it is omitted if only the description changes.
type UpdateRequest struct {
	Description *string     `json:"description,omitempty"`
	Deployment  *UpdateSpec `json:"deployment,omitempty"`
	// GroupID is the node group of the deployment. An update cannot change it,
	// but v2 requires additional fields for a deployment in a group.
	GroupID string `json:"-"`
}

// UpdateSpec is the new specification of a deployment.
type UpdateSpec struct {
	Replicas int32    `json:"replicas"`
	Template Template `json:"template"`
}

// Deployment is a deployment as the service returns it.
type Deployment struct {
	ID            string       `json:"id"`
	Name          string       `json:"name"`
	Replicas      int32        `json:"replicas"`
	ReadyReplicas int32        `json:"ready_replicas"`
	Description   string       `json:"description"`
	GroupID       string       `json:"group_id"`
	NodeIDs       []string     `json:"node_ids"`
	Tags          []Tag        `json:"tags"`
	APIVersion    string       `json:"api_version"`
	Source        string       `json:"source"`
	ProjectID     string       `json:"project_id"`
	CreatedAt     string       `json:"created_at"`
	UpdatedAt     string       `json:"updated_at"`
	State         string       `json:"state"`
	Template      *Template    `json:"template"`
	Annotations   *Annotations `json:"annotations"`
	// Instances are those in a response of v2; v3 has a separate list.
	Instances []Pod `json:"-"`
}

// Pod is an instance of a deployment.
type Pod struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	NodeID         string         `json:"node_id"`
	DeploymentID   string         `json:"deployment_id"`
	State          string         `json:"state"`
	Reason         string         `json:"reason"`
	Message        string         `json:"message"`
	CreatedAt      string         `json:"created_at"`
	Configs        *PodConfigs    `json:"configs"`
	InitContainers []PodContainer `json:"init_containers"`
	Containers     []PodContainer `json:"containers"`
}

// PodContainer is a container of an instance with its status.
type PodContainer struct {
	Container
	State    string `json:"state"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	Restarts int64  `json:"restarts"`
}

// States of an instance. Those of v3 are documented. For v2 only PENDING and
// PENDING_CREATE are documented; the others are assumed to be those of v3.
const (
	StateRunning       = "RUNNING"
	StatePending       = "PENDING"
	StatePendingCreate = "PENDING_CREATE"
	StateSucceeded     = "SUCCEEDED"
	StateFailed        = "FAILED"
	StateCreateFail    = "CREATE_FAIL"
	StateTerminating   = "TERMINATING"
	StatePendingDelete = "PENDING_DELETE"
	StateDeleteFailed  = "DELETE_FAILED"
	StateFrozen        = "FREEZE"
	StateUnknown       = "UNKNOWN"
)

// Filter filters a list of deployments.
type Filter struct {
	// Name matches a part of the name.
	Name    string
	NodeID  string
	GroupID string
	// Tags are supported by v2 only.
	Tags map[string]string
}
