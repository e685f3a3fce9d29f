package kubernetes

import (
	"fmt"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// status is what a Deployment says of its pods.
func (w *workload) status(d *apps.Deployment, clock *controller.Clock) apps.DeploymentStatus {
	now := time.Now()
	s := apps.DeploymentStatus{ObservedGeneration: d.Generation, Conditions: d.Status.DeepCopy().Conditions, CollisionCount: d.Status.CollisionCount}
	newest := w.newest(d)
	for _, rs := range w.replicaSets {
		s.Replicas += int32(len(rs.pods))
		s.ReadyReplicas += int32(rs.ready())
		s.AvailableReplicas += int32(rs.available(d.Spec.MinReadySeconds, now, clock))
	}
	if newest != nil {
		s.UpdatedReplicas = int32(len(newest.pods))
	}
	wanted := int32(1)
	if d.Spec.Replicas != nil {
		wanted = *d.Spec.Replicas
	}
	s.UnavailableReplicas = max(s.Replicas-s.AvailableReplicas, 0)
	if s.AvailableReplicas >= wanted-int32(mayMiss(d, int(wanted))) {
		set(&s, apps.DeploymentAvailable, core.ConditionTrue, "MinimumReplicasAvailable", "Deployment has minimum availability.")
	} else {
		set(&s, apps.DeploymentAvailable, core.ConditionFalse, "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
	}
	w.progress(d, &s, newest, wanted, now, clock)
	return s
}

// mayMiss is how many pods a rolling update may do without.
func mayMiss(d *apps.Deployment, wanted int) int {
	if d.Spec.Strategy.Type != apps.RollingUpdateDeploymentStrategyType || wanted == 0 {
		return 0
	}
	_, unavailable := resolve(d.Spec.Strategy.RollingUpdate, wanted)
	return min(unavailable, wanted)
}

// progress says how far the rollout is.
func (w *workload) progress(d *apps.Deployment, s *apps.DeploymentStatus, newest *replicaSet, wanted int32, now time.Time, clock *controller.Clock) {
	name := ""
	if newest != nil {
		name = newest.name
	}
	before := condition(s, apps.DeploymentProgressing)
	complete := s.UpdatedReplicas == wanted && s.Replicas == wanted && s.AvailableReplicas == wanted
	deadline := 600 * time.Second
	if d.Spec.ProgressDeadlineSeconds != nil {
		deadline = time.Duration(*d.Spec.ProgressDeadlineSeconds) * time.Second
	}
	switch {
	case d.Spec.Paused:
		set(s, apps.DeploymentProgressing, core.ConditionUnknown, "DeploymentPaused", "Deployment is paused")
	case w.resumed:
		w.resumed = false
		set(s, apps.DeploymentProgressing, core.ConditionUnknown, "DeploymentResumed", "Deployment is resumed")
	case complete:
		set(s, apps.DeploymentProgressing, core.ConditionTrue, "NewReplicaSetAvailable", fmt.Sprintf("ReplicaSet %q has successfully progressed.", name))
	case before == nil || s.UpdatedReplicas == 0:
		set(s, apps.DeploymentProgressing, core.ConditionTrue, "NewReplicaSetCreated", fmt.Sprintf("Created new replica set %q", name))
	case now.Sub(w.progressed) > max(clock.Scaled(deadline), time.Second):
		set(s, apps.DeploymentProgressing, core.ConditionFalse, "ProgressDeadlineExceeded", fmt.Sprintf("ReplicaSet %q has timed out progressing.", name))
	case before.Reason != "ProgressDeadlineExceeded":
		set(s, apps.DeploymentProgressing, core.ConditionTrue, "ReplicaSetUpdated", fmt.Sprintf("ReplicaSet %q is progressing.", name))
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

// set writes a condition unless it is there already.
func set(s *apps.DeploymentStatus, kind apps.DeploymentConditionType, status core.ConditionStatus, reason, message string) {
	now := metav1.NewTime(time.Now().Truncate(time.Second))
	c := condition(s, kind)
	if c == nil {
		s.Conditions = append(s.Conditions, apps.DeploymentCondition{Type: kind})
		c = &s.Conditions[len(s.Conditions)-1]
	}
	if c.Status == status && c.Reason == reason && c.Message == message {
		return
	}
	if c.Status != status {
		c.LastTransitionTime = now
	}
	c.Status, c.Reason, c.Message, c.LastUpdateTime = status, reason, message, now
}
