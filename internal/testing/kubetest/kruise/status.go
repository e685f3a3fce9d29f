package kruise

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
)

const (
	phaseInitial     = "Initial"
	phaseHealthy     = "Healthy"
	phaseProgressing = "Progressing"
	phaseTerminating = "Terminating"
	phaseDisabling   = "Disabling"
	phaseDisabled    = "Disabled"

	conditionProgressing = "Progressing"
	conditionSucceeded   = "Succeeded"
	conditionTerminating = "Terminating"

	reasonInitializing = "Initializing"
	reasonRolling      = "InRolling"
	reasonPaused       = "Paused"
	reasonFinalising   = "Finalising"
	reasonCancelling   = "Cancelling"
	reasonCompleted    = "Completed"
)

// reconciliation is one reconciliation of a Rollout.
type reconciliation struct {
	c       *Controller
	rollout *v1beta1.Rollout
	w       *workload // nil for none
	times   *times
	old     v1beta1.RolloutStatus
	status  v1beta1.RolloutStatus
}

// observe determines the phase. It reports whether the workload is up to date:
// the controller waits while the workload's status is outdated.
func (r *reconciliation) observe() bool {
	s := &r.status
	s.ObservedGeneration = r.rollout.Generation
	if r.rollout.DeletionTimestamp != nil {
		if s.Phase != phaseTerminating {
			s.Phase = phaseTerminating
			r.set(conditionTerminating, metav1.ConditionTrue, "InTerminating", "Rollout is in terminating")
		}
		return true
	}
	if r.rollout.Spec.Disabled && s.Phase != phaseDisabled && s.Phase != phaseDisabling {
		if s.Phase == phaseProgressing {
			s.Phase = phaseDisabling
		} else {
			s.Phase, s.Message = phaseDisabled, "Rollout is disabled"
		}
	}
	if s.Phase == "" {
		s.Phase = phaseInitial
	}
	if r.w == nil {
		if !r.rollout.Spec.Disabled {
			r.status = v1beta1.RolloutStatus{ObservedGeneration: r.rollout.Generation, Phase: phaseInitial, Message: "Workload Not Found"}
		}
		return true
	}
	if !r.w.consistent() {
		return false
	}
	if sub := s.Sub(); sub != nil && s.Revision() != "" && s.Revision() == r.w.revision {
		sub.ObservedRolloutID, sub.ObservedWorkloadGeneration = r.w.releaseID(), r.w.Generation
	}
	r.phase()
	return true
}

// phase advances from the phases without actions.
func (r *reconciliation) phase() {
	s := &r.status
	switch s.Phase {
	case phaseInitial:
		s.Phase, s.Message = phaseHealthy, "rollout is healthy"
	case phaseDisabled:
		if !r.rollout.Spec.Disabled {
			s.Phase, s.Message = phaseHealthy, "rollout is healthy"
		}
	case phaseHealthy:
		switch {
		case r.w.held:
			s.Phase = phaseProgressing
			r.times.began = time.Now()
			r.set(conditionProgressing, metav1.ConditionTrue, reasonInitializing, "Rollout is in Progressing")
			r.remove(conditionSucceeded)
		case s.Sub() == nil:
			last := int32(len(r.rollout.Spec.Strategy.Steps()))
			common := v1beta1.CommonStatus{
				ObservedRolloutID: r.w.releaseID(), ObservedWorkloadGeneration: r.w.Generation, PodTemplateHash: r.w.revision,
				StableRevision: r.w.stable, RolloutHash: r.rollout.Annotations[annotationHash],
				CurrentStepIndex: last, NextStepIndex: r.after(last), CurrentStepState: stateCompleted,
			}
			r.newSub(common)
			s.Message = "workload deployment is completed"
		}
	}
}

// newSub initializes the status of the Rollout's style.
func (r *reconciliation) newSub(common v1beta1.CommonStatus) {
	r.status.Clear()
	if r.rollout.Spec.Strategy.BlueGreen != nil {
		r.status.BlueGreenStatus = &v1beta1.BlueGreenStatus{CommonStatus: common, UpdatedRevision: r.w.revision}
	} else {
		r.status.CanaryStatus = &v1beta1.CanaryStatus{CommonStatus: common, CanaryRevision: r.w.revision}
	}
}

// after returns the next step, -1 for none.
func (r *reconciliation) after(index int32) int32 {
	if index >= int32(len(r.rollout.Spec.Strategy.Steps())) {
		return -1
	}
	return index + 1
}

func conditionOf(s *v1beta1.RolloutStatus, kind string) *v1beta1.RolloutCondition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == kind {
			return &s.Conditions[i]
		}
	}
	return nil
}

func (r *reconciliation) remove(kind string) {
	kept := r.status.Conditions[:0]
	for _, c := range r.status.Conditions {
		if c.Type != kind {
			kept = append(kept, c)
		}
	}
	r.status.Conditions = kept
}

// set sets a condition.
func (r *reconciliation) set(kind string, status metav1.ConditionStatus, reason, message string) {
	now := metav1.NewTime(time.Now().Truncate(time.Second))
	made := v1beta1.RolloutCondition{Type: kind, Status: string(status), Reason: reason, Message: message, LastUpdateTime: now, LastTransitionTime: now}
	if c := conditionOf(&r.status, kind); c != nil {
		if c.Status == made.Status {
			made.LastTransitionTime = c.LastTransitionTime
		}
		*c = made
		return
	}
	r.status.Conditions = append(r.status.Conditions, made)
}

// transition changes the reason of a release in progress, with a new message or
// the previous one.
func (r *reconciliation) transition(status metav1.ConditionStatus, reason, message string) {
	c := conditionOf(&r.status, conditionProgressing)
	if c == nil {
		r.set(conditionProgressing, status, reason, message)
		r.status.Message = message
		return
	}
	if message == "" {
		message = c.Message
	}
	if c.Status != string(status) {
		c.LastTransitionTime = metav1.NewTime(time.Now().Truncate(time.Second))
	}
	c.Status, c.Reason, c.Message = string(status), reason, message
	r.status.Message = message
}
