package kubernetes

import (
	"fmt"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// status returns the status of a Deployment.
func (w *workload) status(d *apps.Deployment, clock *controller.Clock) apps.DeploymentStatus {
	s := apps.DeploymentStatus{ObservedGeneration: d.Generation, Conditions: d.Status.DeepCopy().Conditions, CollisionCount: d.Status.CollisionCount}
	newest := w.newest(d)
	for _, rs := range w.replicaSets {
		s.Replicas += int32(rs.reportedCounts.replicas)
		s.ReadyReplicas += int32(rs.reportedCounts.ready)
		s.AvailableReplicas += int32(rs.reportedCounts.available)
	}
	if newest != nil {
		s.UpdatedReplicas = int32(newest.reportedCounts.replicas)
	}
	desired := int32(1)
	if d.Spec.Replicas != nil {
		desired = *d.Spec.Replicas
	}
	s.UnavailableReplicas = max(s.Replicas-s.AvailableReplicas, 0)
	if s.AvailableReplicas >= desired-int32(mayMiss(d, int(desired))) {
		set(&s, apps.DeploymentAvailable, core.ConditionTrue, "MinimumReplicasAvailable", "Deployment has minimum availability.")
	} else {
		set(&s, apps.DeploymentAvailable, core.ConditionFalse, "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
	}
	w.progress(d, &s, newest, desired, clock)
	return s
}

// mayMiss returns the number of pods that may be unavailable in a rolling
// update.
func mayMiss(d *apps.Deployment, desired int) int {
	if d.Spec.Strategy.Type != apps.RollingUpdateDeploymentStrategyType || desired == 0 {
		return 0
	}
	_, unavailable := resolve(d.Spec.Strategy.RollingUpdate, desired)
	return min(unavailable, desired)
}

// moved reports whether a rollout has progressed since the previous status.
func moved(before, now *apps.DeploymentStatus) bool {
	return now.UpdatedReplicas > before.UpdatedReplicas || now.Replicas-now.UpdatedReplicas < before.Replicas-before.UpdatedReplicas ||
		now.ReadyReplicas > before.ReadyReplicas || now.AvailableReplicas > before.AvailableReplicas
}

const (
	deadlineExceeded = "ProgressDeadlineExceeded"
	setUpdated       = "ReplicaSetUpdated"
)

// progress sets the Progressing condition. An exceeded deadline remains until a
// new ReplicaSet is created or a number changes, also if the template is
// reverted to an earlier one.
func (w *workload) progress(d *apps.Deployment, s *apps.DeploymentStatus, newest *replicaSet, desired int32, clock *controller.Clock) {
	name := ""
	if newest != nil {
		name = newest.name
	}
	before := condition(s, apps.DeploymentProgressing)
	complete := s.UpdatedReplicas == desired && s.Replicas == desired && s.AvailableReplicas == desired
	deadline := 600 * time.Second
	if d.Spec.ProgressDeadlineSeconds != nil {
		deadline = time.Duration(*d.Spec.ProgressDeadlineSeconds) * time.Second
	}
	exceeded := before != nil && before.Reason == deadlineExceeded
	created := w.created
	w.created = false
	switch {
	case d.Spec.Paused && exceeded:
	case d.Spec.Paused:
		set(s, apps.DeploymentProgressing, core.ConditionUnknown, "DeploymentPaused", "Deployment is paused")
	case w.resumed:
		w.resumed = false
		set(s, apps.DeploymentProgressing, core.ConditionUnknown, "DeploymentResumed", "Deployment is resumed")
	case complete:
		set(s, apps.DeploymentProgressing, core.ConditionTrue, "NewReplicaSetAvailable", fmt.Sprintf("ReplicaSet %q has successfully progressed.", name))
	case before == nil || created || s.UpdatedReplicas == 0 && !exceeded:
		set(s, apps.DeploymentProgressing, core.ConditionTrue, "NewReplicaSetCreated", fmt.Sprintf("Created new replica set %q", name))
	case moved(&d.Status, s):
		if before.Reason == setUpdated {
			before.LastUpdateTime = metav1.NewTime(time.Now().Truncate(time.Second))
		}
		set(s, apps.DeploymentProgressing, core.ConditionTrue, setUpdated, fmt.Sprintf("ReplicaSet %q is progressing.", name))
	case exceeded, time.Since(w.progressed) > max(clock.Scaled(deadline), time.Second):
		set(s, apps.DeploymentProgressing, core.ConditionFalse, deadlineExceeded, fmt.Sprintf("ReplicaSet %q has timed out progressing.", name))
	default:
		set(s, apps.DeploymentProgressing, core.ConditionTrue, setUpdated, fmt.Sprintf("ReplicaSet %q is progressing.", name))
	}
}

func condition(s *apps.DeploymentStatus, kind apps.DeploymentConditionType) *apps.DeploymentCondition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == kind {
			return &s.Conditions[i]
		}
	}
	return nil
}

// set sets a condition, unless it already has this status and reason, with any
// message.
func set(s *apps.DeploymentStatus, kind apps.DeploymentConditionType, status core.ConditionStatus, reason, message string) {
	now := metav1.NewTime(time.Now().Truncate(time.Second))
	c := condition(s, kind)
	if c == nil {
		s.Conditions = append(s.Conditions, apps.DeploymentCondition{Type: kind})
		c = &s.Conditions[len(s.Conditions)-1]
	}
	if c.Status == status && c.Reason == reason {
		return
	}
	if c.Status != status {
		c.LastTransitionTime = now
	}
	c.Status, c.Reason, c.Message, c.LastUpdateTime = status, reason, message, now
}
