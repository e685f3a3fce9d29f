package kube

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Pod is a pod.
type Pod struct {
	Metadata Metadata  `json:"metadata"`
	Status   PodStatus `json:"status"`
}

// PodStatus is the observed state of a pod.
type PodStatus struct {
	Conditions            []Condition       `json:"conditions,omitempty"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses,omitempty"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses,omitempty"`
}

// ContainerStatus is the observed state of a container.
type ContainerStatus struct {
	Name  string `json:"name"`
	State struct {
		Waiting    *ContainerReason `json:"waiting,omitempty"`
		Terminated *ContainerReason `json:"terminated,omitempty"`
	} `json:"state"`
}

// ContainerReason is why a container waits or has ended.
type ContainerReason struct {
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"message,omitempty"`
	ExitCode int64  `json:"exitCode,omitempty"`
}

// starting are the reasons of containers that will start without a change.
var starting = []string{"ContainerCreating", "PodInitializing"}

// Problem describes why a pod does not run; "" if it runs or is starting.
func (p *Pod) Problem() string {
	for _, c := range p.Status.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" {
			return described(c.Reason, c.Message)
		}
	}
	for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		name, waiting, ended := httpapi.Text(c.Name), c.State.Waiting, c.State.Terminated
		switch {
		case waiting != nil && !slices.Contains(starting, waiting.Reason):
			return "container " + name + ": " + described(waiting.Reason, waiting.Message)
		case ended != nil && ended.ExitCode != 0:
			return "container " + name + ": " + described(fmt.Sprintf("%s (exit code %d)", httpapi.Text(ended.Reason), ended.ExitCode), ended.Message)
		}
	}
	return ""
}

func described(reason, message string) string {
	if message == "" {
		return httpapi.Text(reason)
	}
	return httpapi.Text(reason) + ": " + strings.TrimRight(httpapi.Text(message), ".")
}
