package kruise

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// RolloutStatus is what the controller says of a release. Its texts are cleaned
// when it is read.
type RolloutStatus struct {
	ObservedGeneration int64           `json:"observedGeneration,omitempty"`
	Phase              string          `json:"phase,omitempty" text:"shown"`
	Message            string          `json:"message,omitempty" text:"shown"`
	Conditions         []Condition     `json:"conditions,omitempty"`
	CanaryStatus       *StyleStatus    `json:"canaryStatus,omitempty"`
	BlueGreenStatus    *BlueGreenCount `json:"blueGreenStatus,omitempty"`
}

// Condition is one of the conditions of a Rollout.
type Condition struct {
	Type    string `json:"type" text:"shown"`
	Status  string `json:"status" text:"shown"`
	Reason  string `json:"reason" text:"shown"`
	Message string `json:"message" text:"shown"`
}

// StyleStatus is where a release is.
type StyleStatus struct {
	// ObservedWorkloadGeneration is that of the workload when it was last seen with
	// the version that is released.
	ObservedWorkloadGeneration int64 `json:"observedWorkloadGeneration,omitempty"`

	StableRevision   string `json:"stableRevision,omitempty" text:"shown"`
	PodTemplateHash  string `json:"podTemplateHash" text:"shown"`
	CurrentStepIndex int32  `json:"currentStepIndex"`
	NextStepIndex    int32  `json:"nextStepIndex"`
	CurrentStepState string `json:"currentStepState" text:"shown"`
	FinalisingStep   string `json:"finalisingStep" text:"shown"`
	Message          string `json:"message,omitempty" text:"shown"`

	CanaryRevision      string `json:"canaryRevision" text:"shown"`
	CanaryReplicas      int32  `json:"canaryReplicas"`
	CanaryReadyReplicas int32  `json:"canaryReadyReplicas"`
}

// BlueGreenCount is that of a blue-green release, whose counts have names of
// their own.
type BlueGreenCount struct {
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

// stepStates are those that the controller sets; with any other it stands still.
var stepStates = []string{
	"BeforeStepUpgrade", StepUpgrade, "StepTrafficRouting", "StepMetricsAnalysis", StepPaused, StepReady, StepCompleted, "",
}

// The conditions, and the reasons of the one about progress.
const (
	conditionProgressing = "Progressing"
	conditionSucceeded   = "Succeeded"

	reasonInitializing = "Initializing"
	reasonInRolling    = "InRolling"
	reasonPaused       = "Paused"
	reasonFinalising   = "Finalising"
	reasonCancelling   = "Cancelling"
)

// condition is a condition by its type.
func (s *RolloutStatus) condition(of string) Condition {
	i := slices.IndexFunc(s.Conditions, func(c Condition) bool { return c.Type == of })
	if i < 0 {
		return Condition{}
	}
	return s.Conditions[i]
}

// style is the status of the style that the spec has, and the name of its field.
// That of another style is left of an earlier release.
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
