package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// RolloutStatus is the status of a Rollout.
type RolloutStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	CanaryStatus       *CanaryStatus      `json:"canaryStatus,omitempty"`
	BlueGreenStatus    *BlueGreenStatus   `json:"blueGreenStatus,omitempty"`
	Conditions         []RolloutCondition `json:"conditions,omitempty"`
	Phase              string             `json:"phase,omitempty"`
	Message            string             `json:"message,omitempty"`
	CurrentStepIndex   int32              `json:"currentStepIndex"`
	CurrentStepState   string             `json:"currentStepState"`
}

// RolloutCondition is one condition.
type RolloutCondition struct {
	Type               string      `json:"type"`
	Status             string      `json:"status"`
	LastUpdateTime     metav1.Time `json:"lastUpdateTime,omitempty"`
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
	Reason             string      `json:"reason"`
	Message            string      `json:"message"`
}

// CommonStatus is the common part of the status of both styles.
type CommonStatus struct {
	ObservedWorkloadGeneration int64        `json:"observedWorkloadGeneration,omitempty"`
	ObservedRolloutID          string       `json:"observedRolloutID,omitempty"`
	RolloutHash                string       `json:"rolloutHash,omitempty"`
	StableRevision             string       `json:"stableRevision,omitempty"`
	PodTemplateHash            string       `json:"podTemplateHash"`
	CurrentStepIndex           int32        `json:"currentStepIndex"`
	NextStepIndex              int32        `json:"nextStepIndex"`
	FinalisingStep             string       `json:"finalisingStep"`
	CurrentStepState           string       `json:"currentStepState"`
	Message                    string       `json:"message,omitempty"`
	LastUpdateTime             *metav1.Time `json:"lastUpdateTime,omitempty"`
}

// CanaryStatus is the status of canary and partition releases.
type CanaryStatus struct {
	CommonStatus        `json:",inline"`
	CanaryRevision      string `json:"canaryRevision"`
	CanaryReplicas      int32  `json:"canaryReplicas"`
	CanaryReadyReplicas int32  `json:"canaryReadyReplicas"`
}

// BlueGreenStatus is the status of blue-green releases.
type BlueGreenStatus struct {
	CommonStatus         `json:",inline"`
	UpdatedRevision      string `json:"updatedRevision"`
	UpdatedReplicas      int32  `json:"updatedReplicas"`
	UpdatedReadyReplicas int32  `json:"updatedReadyReplicas"`
}

// BatchRelease brings the pods of a step to a workload.
type BatchRelease struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BatchReleaseSpec   `json:"spec,omitempty"`
	Status            BatchReleaseStatus `json:"status,omitempty"`
}

// BatchReleaseSpec is the desired state.
type BatchReleaseSpec struct {
	WorkloadRef ObjectRef   `json:"workloadRef,omitempty"`
	ReleasePlan ReleasePlan `json:"releasePlan"`
}

// ReleasePlan has the batches, and up to which to go.
type ReleasePlan struct {
	Batches                      []ReleaseBatch            `json:"batches,omitempty"`
	BatchPartition               *int32                    `json:"batchPartition,omitempty"`
	RolloutID                    string                    `json:"rolloutID,omitempty"`
	FailureThreshold             *intstr.IntOrString       `json:"failureThreshold,omitempty"`
	FinalizingPolicy             string                    `json:"finalizingPolicy,omitempty"`
	PatchPodTemplateMetadata     *PatchPodTemplateMetadata `json:"patchPodTemplateMetadata,omitempty"`
	RollingStyle                 string                    `json:"rollingStyle,omitempty"`
	EnableExtraWorkloadForCanary bool                      `json:"enableExtraWorkloadForCanary"`
}

// ReleaseBatch is the number of new pods of a batch.
type ReleaseBatch struct {
	CanaryReplicas intstr.IntOrString `json:"canaryReplicas"`
}

// BatchReleaseStatus is the status of a BatchRelease.
type BatchReleaseStatus struct {
	Phase                   string      `json:"phase,omitempty"`
	ObservedGeneration      int64       `json:"observedGeneration,omitempty"`
	ObservedRolloutID       string      `json:"observedRolloutID,omitempty"`
	ObservedReleasePlanHash string      `json:"observedReleasePlanHash,omitempty"`
	CanaryStatus            BatchStatus `json:"canaryStatus,omitempty"`
}

// BatchStatus is about the current batch.
type BatchStatus struct {
	CurrentBatchState    string `json:"batchState,omitempty"`
	CurrentBatch         int32  `json:"currentBatch"`
	UpdatedReplicas      int32  `json:"updatedReplicas,omitempty"`
	UpdatedReadyReplicas int32  `json:"updatedReadyReplicas,omitempty"`
}

// Sub is the status of the style that has one.
func (s *RolloutStatus) Sub() *CommonStatus {
	switch {
	case s.CanaryStatus != nil:
		return &s.CanaryStatus.CommonStatus
	case s.BlueGreenStatus != nil:
		return &s.BlueGreenStatus.CommonStatus
	}
	return nil
}

// Revision is the one that is released.
func (s *RolloutStatus) Revision() string {
	switch {
	case s.CanaryStatus != nil:
		return s.CanaryStatus.CanaryRevision
	case s.BlueGreenStatus != nil:
		return s.BlueGreenStatus.UpdatedRevision
	}
	return ""
}

// SetRevision changes the revision that is released.
func (s *RolloutStatus) SetRevision(revision string) {
	if s.CanaryStatus != nil {
		s.CanaryStatus.CanaryRevision = revision
	}
	if s.BlueGreenStatus != nil {
		s.BlueGreenStatus.UpdatedRevision = revision
	}
}

// Updated is the number of new pods.
func (s *RolloutStatus) Updated() int32 {
	if s.CanaryStatus != nil {
		return s.CanaryStatus.CanaryReplicas
	}
	return s.BlueGreenStatus.UpdatedReplicas
}

// SetUpdated changes the numbers of new pods.
func (s *RolloutStatus) SetUpdated(replicas, ready int32) {
	if s.CanaryStatus != nil {
		s.CanaryStatus.CanaryReplicas, s.CanaryStatus.CanaryReadyReplicas = replicas, ready
	}
	if s.BlueGreenStatus != nil {
		s.BlueGreenStatus.UpdatedReplicas, s.BlueGreenStatus.UpdatedReadyReplicas = replicas, ready
	}
}

// Clear forgets the release.
func (s *RolloutStatus) Clear() { s.CanaryStatus, s.BlueGreenStatus = nil, nil }
