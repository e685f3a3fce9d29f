package kube

// Pod is a pod.
type Pod struct {
	Metadata Metadata  `json:"metadata"`
	Status   PodStatus `json:"status"`
}

// LabelPodTemplateHash is the label of pods that names their ReplicaSet within a Deployment.
const LabelPodTemplateHash = "pod-template-hash"

// PodStatus is the observed state of a pod.
type PodStatus struct {
	// Phase is Pending, Running, Succeeded, Failed or Unknown. Reason and Message explain it,
	// such as that of a pod that was evicted.
	Phase                 string            `json:"phase,omitempty"`
	Reason                string            `json:"reason,omitempty"`
	Message               string            `json:"message,omitempty"`
	Conditions            []Condition       `json:"conditions,omitempty"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses,omitempty"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses,omitempty"`
}

// ContainerStatus is the observed state of a container.
type ContainerStatus struct {
	Name         string         `json:"name"`
	Ready        bool           `json:"ready,omitempty"`
	RestartCount int64          `json:"restartCount,omitempty"`
	State        ContainerState `json:"state"`
	// LastState is how the container has ended before its last start.
	LastState ContainerState `json:"lastState"`
}

// ContainerState is the state of a container: it runs, unless it waits or has ended. Without
// any of them it waits.
type ContainerState struct {
	Waiting    *ContainerReason `json:"waiting,omitempty"`
	Running    *struct{}        `json:"running,omitempty"`
	Terminated *ContainerReason `json:"terminated,omitempty"`
}

// ContainerReason is why a container waits or has ended. The message of one that has ended is
// what it left as such, or the end of its log.
type ContainerReason struct {
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"message,omitempty"`
	ExitCode int64  `json:"exitCode,omitempty"`
}
