package kubernetes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	work "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
)

func podOf(p *work.Pod, set *work.ReplicaSet, d *apps.Deployment, owner types.UID) *core.Pod {
	template := templateOf(set)
	return &core.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: p.Name, Labels: template.Labels, Annotations: template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: set.Name, UID: owner, Controller: new(true)}},
		},
		Spec:   template.Spec,
		Status: podStatusOf(p, template.Spec.Containers),
	}
}

// podStatusOf is the status of a pod, as the scheduler and the kubelet write it.
func podStatusOf(p *work.Pod, containers []core.Container) core.PodStatus {
	status := core.PodStatus{Phase: core.PodPending}
	condition := func(kind core.PodConditionType, is bool, since time.Time, reason, message string) {
		c := core.PodCondition{Type: kind, Status: core.ConditionTrue, LastTransitionTime: metav1.NewTime(since)}
		if !is {
			c.Status, c.Reason, c.Message = core.ConditionFalse, reason, message
		}
		status.Conditions = append(status.Conditions, c)
	}
	if p.Unschedulable != "" {
		condition(core.PodScheduled, false, p.Created, core.PodReasonUnschedulable, p.Unschedulable)
		return status
	}
	var unready []string
	for i := range p.Containers {
		c := &p.Containers[i]
		status.ContainerStatuses = append(status.ContainerStatuses, containerStatusOf(c, containers))
		if !c.Ready {
			unready = append(unready, c.Name)
		}
	}
	since := p.Created
	if p.Ready {
		since = p.ReadyAt()
	}
	message := fmt.Sprintf("containers with unready status: %v", unready)
	condition(core.PodInitialized, true, p.Created, "", "")
	condition(core.PodReady, p.Ready, since, "ContainersNotReady", message)
	condition(core.ContainersReady, p.Ready, since, "ContainersNotReady", message)
	condition(core.PodScheduled, true, p.Created, "", "")
	if !slices.ContainsFunc(p.Containers, isNew) {
		status.Phase = core.PodRunning
	}
	return status
}

// isNew reports whether a container waits for its first start.
func isNew(c work.Container) bool { return c.Waiting != nil && c.Last == nil }

func containerStatusOf(c *work.Container, containers []core.Container) core.ContainerStatus {
	status := core.ContainerStatus{Name: c.Name, Ready: c.Ready, RestartCount: c.Restarts, Started: new(c.Running() && c.Ready)}
	if i := slices.IndexFunc(containers, func(spec core.Container) bool { return spec.Name == c.Name }); i >= 0 {
		status.Image = containers[i].Image
	}
	status.LastTerminationState.Terminated = terminatedOf(c.Last)
	switch {
	case c.Waiting != nil:
		status.State.Waiting = &core.ContainerStateWaiting{Reason: c.Waiting.Reason, Message: c.Waiting.Message}
	case c.Terminated != nil:
		status.State.Terminated = terminatedOf(c.Terminated)
	default:
		status.State.Running = &core.ContainerStateRunning{StartedAt: metav1.NewTime(c.StartedAt)}
	}
	return status
}

// terminatedOf is the state of a container that has ended, nil for nil. It ended where it began:
// applications here do nothing for a time.
func terminatedOf(t *work.Terminated) *core.ContainerStateTerminated {
	if t == nil {
		return nil
	}
	return &core.ContainerStateTerminated{ExitCode: t.ExitCode, Reason: t.Reason, Message: strings.ToValidUTF8(t.Message, "\uFFFD"), StartedAt: metav1.NewTime(t.At), FinishedAt: metav1.NewTime(t.At)}
}
