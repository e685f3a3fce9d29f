package kruise

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// RolloutStatus is set by the controller. Its texts are cleaned when it is
// decoded.
type RolloutStatus struct {
	ObservedGeneration int64            `json:"observedGeneration,omitempty"`
	Phase              string           `json:"phase,omitempty" text:"shown"`
	Message            string           `json:"message,omitempty" text:"shown"`
	Conditions         []Condition      `json:"conditions,omitempty"`
	CanaryStatus       *StyleStatus     `json:"canaryStatus,omitempty"`
	BlueGreenStatus    *BlueGreenStatus `json:"blueGreenStatus,omitempty"`
}

// Condition is a condition of a Rollout.
type Condition struct {
	Type    string `json:"type" text:"shown"`
	Status  string `json:"status" text:"shown"`
	Reason  string `json:"reason" text:"shown"`
	Message string `json:"message" text:"shown"`
}

// StyleStatus is the progress of a release.
type StyleStatus struct {
	// ObservedRolloutID is the id of the release: the revision of the new version,
	// unless a label of the workload sets another one.
	ObservedRolloutID string `json:"observedRolloutID,omitempty"`
	// ObservedWorkloadGeneration is the generation of the workload when the
	// controller last observed it with the new version.
	ObservedWorkloadGeneration int64 `json:"observedWorkloadGeneration,omitempty"`

	StableRevision   string `json:"stableRevision,omitempty" text:"shown"`
	PodTemplateHash  string `json:"podTemplateHash" text:"shown"`
	CurrentStepIndex int32  `json:"currentStepIndex"`
	// NextStepIndex is nil before OpenKruise Rollouts 0.6, which can only continue with the
	// next step.
	NextStepIndex    *int32 `json:"nextStepIndex"`
	CurrentStepState string `json:"currentStepState" text:"shown"`
	FinalisingStep   string `json:"finalisingStep" text:"shown"`
	Message          string `json:"message,omitempty" text:"shown"`
	// LastUpdateTime is when CurrentStepState last changed, in RFC 3339. The
	// controller counts the duration of a pause from it.
	LastUpdateTime string `json:"lastUpdateTime,omitempty" text:"shown"`

	CanaryRevision      string `json:"canaryRevision" text:"shown"`
	CanaryReplicas      int32  `json:"canaryReplicas"`
	CanaryReadyReplicas int32  `json:"canaryReadyReplicas"`
}

// BlueGreenStatus has the counts of a blue-green release, which have other
// names.
type BlueGreenStatus struct {
	StyleStatus
	UpdatedRevision      string `json:"updatedRevision" text:"shown"`
	UpdatedReplicas      int32  `json:"updatedReplicas"`
	UpdatedReadyReplicas int32  `json:"updatedReadyReplicas"`
}

// The phases.
const (
	PhaseInitial     = "Initial"
	PhaseHealthy     = "Healthy"
	PhaseProgressing = "Progressing"
	PhaseTerminating = "Terminating"
	PhaseDisabled    = "Disabled"
	PhaseDisabling   = "Disabling"
)

// The states of a step.
const (
	StepPaused    = "StepPaused"
	StepReady     = "StepReady"
	StepUpgrade   = "StepUpgrade"
	StepCompleted = "Completed"
)

// stepStates are the known states; with any other the controller does nothing.
var stepStates = []string{
	"BeforeStepUpgrade", StepUpgrade, "StepTrafficRouting", "StepMetricsAnalysis", StepPaused, StepReady, StepCompleted, "",
}

// The conditions, and the reasons of the condition Progressing.
const (
	conditionProgressing = "Progressing"
	conditionSucceeded   = "Succeeded"

	reasonInitializing = "Initializing"
	reasonInRolling    = "InRolling"
	reasonPaused       = "Paused"
	reasonFinalising   = "Finalising"
	reasonCancelling   = "Cancelling"
)

// condition returns a condition by type.
func (s *RolloutStatus) condition(of string) Condition {
	i := slices.IndexFunc(s.Conditions, func(c Condition) bool { return c.Type == of })
	if i < 0 {
		return Condition{}
	}
	return s.Conditions[i]
}

// style returns the status of the style in the spec, and the name of its field.
// The status of the other style is left over from an earlier release.
func (r *Rollout) style() (status StyleStatus, field string) {
	if r.Spec.Strategy.BlueGreen != nil {
		field = "blueGreenStatus"
		if found := r.Status.BlueGreenStatus; found != nil {
			status = found.StyleStatus
			status.CanaryRevision, status.CanaryReplicas, status.CanaryReadyReplicas = found.UpdatedRevision, found.UpdatedReplicas, found.UpdatedReadyReplicas
		}
		return status, field
	}
	if r.Status.CanaryStatus != nil {
		status = *r.Status.CanaryStatus
	}
	return status, "canaryStatus"
}

func (s *RolloutStatus) clean() {
	s.Phase, s.Message = httpapi.Text(s.Phase), httpapi.Text(s.Message)
	for i := range s.Conditions {
		c := &s.Conditions[i]
		c.Type, c.Status, c.Reason, c.Message = httpapi.Text(c.Type), httpapi.Text(c.Status), httpapi.Text(c.Reason), httpapi.Text(c.Message)
	}
	if s.CanaryStatus != nil {
		s.CanaryStatus.clean()
	}
	if s.BlueGreenStatus != nil {
		s.BlueGreenStatus.clean()
		s.BlueGreenStatus.UpdatedRevision = httpapi.Text(s.BlueGreenStatus.UpdatedRevision)
	}
}

func (s *StyleStatus) clean() {
	for _, text := range []*string{&s.StableRevision, &s.PodTemplateHash, &s.CurrentStepState, &s.FinalisingStep, &s.Message, &s.CanaryRevision} {
		*text = httpapi.Text(*text)
	}
}
