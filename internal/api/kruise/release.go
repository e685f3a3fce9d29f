package kruise

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// ReleaseState is the state of a release, as determined by this provider from
// phase, conditions and step.
type ReleaseState int

// The states of a release.
const (
	// NotObserved: the controller has not observed the current generation of the
	// spec.
	NotObserved ReleaseState = iota
	// NoWorkload: the workload does not exist.
	NoWorkload
	// Healthy: there is no release in progress; Release.Outcome is that of the
	// last one.
	Healthy
	// StepInProgress: a step is in progress.
	StepInProgress
	// AwaitingApproval: a step is done, and the next one starts after an
	// approval.
	AwaitingApproval
	// TimedPause: a step is done, and the next one starts after a time.
	TimedPause
	// Suspended: spec.strategy.paused stops the release, regardless of
	// approvals.
	Suspended
	// Blocked: the workload was changed again during a blue-green release, which the
	// controller does not support.
	Blocked
	// UnknownStepState: the step state in the status was set to an unknown value.
	UnknownStepState
	// UnknownPhase: the phase is none that this provider knows, for example one of
	// a later controller.
	UnknownPhase
	// Stuck: the release waits for a BatchRelease that belongs to an earlier one.
	Stuck
	// Cancelling: the workload was rolled back.
	Cancelling
	// Completing: the last step is done, and the controller cleans up.
	Completing
	// Disabling: spec.disabled promotes the new version.
	Disabling
	// Disabled: changes of the workload are not released in steps.
	Disabled
	// Terminating: the Rollout is being deleted, which promotes the new version.
	Terminating
)

var releaseStateNames = map[ReleaseState]string{
	NotObserved: "not observed", NoWorkload: "no workload", Healthy: "healthy", StepInProgress: "step in progress", AwaitingApproval: "awaiting approval", TimedPause: "timed pause",
	Suspended: "suspended", Blocked: "blocked", UnknownStepState: "unknown step state", UnknownPhase: "unknown phase", Stuck: "stuck", Cancelling: "cancelling", Completing: "completing",
	Disabling: "disabling", Disabled: "disabled", Terminating: "terminating",
}

// String names the state.
func (s ReleaseState) String() string { return releaseStateNames[s] }

// Outcome is how the last release ended.
type Outcome int

// The outcomes.
const (
	// NoOutcome: there was no release, or its outcome is unknown.
	NoOutcome Outcome = iota
	// Completed: all pods have the new version, or are being replaced by it.
	Completed
	// Cancelled: the workload was rolled back.
	Cancelled
)

// String names the outcome, "" for none.
func (o Outcome) String() string {
	switch o {
	case Completed:
		return "completed"
	case Cancelled:
		return "cancelled"
	default:
		return ""
	}
}

// Release is the interpreted status of a Rollout.
type Release struct {
	State   ReleaseState
	Outcome Outcome
	// Step is the current step, from 1 to Steps; NextStep is the one that follows,
	// below 1 if there is none.
	Step, NextStep, Steps int32
	// StepState is the state of the step, in the terms of the controller.
	StepState string
	// PauseSeconds is the duration of the pause after the step; 0 means until an
	// approval.
	PauseSeconds int32
	// StepStateSince is when StepState last changed; zero if unknown.
	StepStateSince time.Time
	// Revision is the hash of the new version, StableRevision that of the previous
	// one.
	Revision, StableRevision string
	// UpdatedReplicas and UpdatedReadyReplicas count pods of the new version.
	UpdatedReplicas, UpdatedReadyReplicas int32
	// Phase and Message are set by the controller.
	Phase, Message string
	// InPlace is set if the pods of the workload are replaced, instead of others running
	// beside them.
	InPlace bool
	// EndsWithoutPause is set at a last step of all pods: the controller does not pause
	// there, although the state of the step may be StepPaused.
	EndsWithoutPause bool
	// Beginning is set until the first step: Step, StepState, UpdatedReplicas and
	// UpdatedReadyReplicas may be those of the previous release.
	Beginning bool
	// TrafficRouting is the name of the TrafficRouting, and TrafficRoutingRef the
	// entry of trafficRoutings, whose objects have to exist before the release
	// starts; "" and nil after the start, or if there is none.
	TrafficRouting    string
	TrafficRoutingRef *TrafficRoutingRef
	// WorkloadGeneration is the generation of the workload that the status
	// refers to.
	WorkloadGeneration int64
}

// InProgress reports whether a release is in progress, so that deleting or
// disabling the Rollout would promote the new version. In an unknown phase, a
// release may be in progress.
func (r Release) InProgress() bool {
	switch r.State {
	case StepInProgress, AwaitingApproval, TimedPause, Suspended, Blocked, UnknownStepState, UnknownPhase, Stuck, Cancelling, Completing:
		return true
	default:
		return r.Phase == PhaseProgressing
	}
}

// ManualAction reports whether the release needs a manual action to continue, and
// which.
func (r Release) ManualAction() (next string, waits bool) {
	next, waits = remedies[r.State]
	return next, waits
}

// remedies are the manual actions that continue a release.
var remedies = map[ReleaseState]string{
	AwaitingApproval: "Approve the step, for example with the action kuscia_rollout_approve or the resource kuscia_rollout_approval.",
	Suspended:        "Set paused = false on the Rollout first.",
	UnknownStepState: "Set currentStepState in the status back to StepPaused manually, then approve.",
	UnknownPhase:     "Use a version of the provider that knows this version of OpenKruise Rollouts.",
	Blocked:          "Roll the workload back to the stable version, or apply the version that is being released again.",
	Disabled:         "The Rollout was disabled before its controller began the release. Enable it again (disabled = false), so that the change is released.",
	Stuck:            "Roll the workload back to the previous image and configuration, and change it again after that; or delete the Rollout, resume the Deployment (kubectl rollout resume), which gives all pods the new version, and create the Rollout again.",
}

// Release interprets the status.
func (r *Rollout) Release() Release {
	status, _ := r.style()
	steps := r.Spec.Strategy.Steps()
	out := Release{
		Step: status.CurrentStepIndex, Steps: int32(len(steps)), //nolint:gosec // at most 50
		StepState: status.CurrentStepState, Revision: status.CanaryRevision, StableRevision: status.StableRevision, UpdatedReplicas: status.CanaryReplicas, UpdatedReadyReplicas: status.CanaryReadyReplicas,
		Phase: r.Status.Phase, Message: r.Status.Message, WorkloadGeneration: status.ObservedWorkloadGeneration,
	}
	if status.NextStepIndex != nil {
		out.NextStep = *status.NextStepIndex
	}
	out.InPlace = r.Spec.Strategy.Canary != nil && !r.Spec.Strategy.Canary.EnableExtraWorkloadForCanary
	if i := int(status.CurrentStepIndex) - 1; i >= 0 && i < len(steps) {
		out.PauseSeconds, _ = steps[i].Pause.Seconds()
		out.EndsWithoutPause = r.Spec.Strategy.EndsWithoutPause(i)
	}
	out.StepStateSince, _ = time.Parse(time.RFC3339, status.LastUpdateTime)
	out.State = r.releaseState(status)
	if out.State == StepInProgress && r.Status.condition(conditionProgressing).Reason == reasonInitializing {
		out.Beginning, out.TrafficRouting = true, httpapi.Text(r.Metadata.Annotations[trafficRoutingAnnotation])
		if style := r.Spec.Strategy.Style(); style != nil && len(style.TrafficRoutings) > 0 {
			out.TrafficRoutingRef = &style.TrafficRoutings[0] // there is at most one
		}
	}
	if out.State == Healthy {
		switch r.Status.condition(conditionSucceeded).Status {
		case "True":
			out.Outcome = Completed
		case "False":
			out.Outcome = Cancelled
		}
	}
	return out
}

// releaseState checks in order of precedence: a deletion overrides everything, and
// in a phase other than Progressing the status contains steps of earlier
// releases.
func (r *Rollout) releaseState(status StyleStatus) ReleaseState {
	phase := r.Status.Phase
	switch {
	case r.Metadata.Deleting() || phase == PhaseTerminating:
		return Terminating
	case phase == "" || r.Status.ObservedGeneration < r.Metadata.Generation && phase != PhaseProgressing:
		return NotObserved
	case phase == PhaseInitial:
		return NoWorkload
	case r.Spec.Disabled && phase == PhaseProgressing, phase == PhaseDisabling:
		return Disabling
	case phase == PhaseDisabled:
		return Disabled
	case phase == PhaseHealthy:
		return Healthy
	case phase != PhaseProgressing:
		return UnknownPhase
	}
	return r.progressing(status)
}

// progressing is the state during a release. Until its reason is InRolling,
// the status still contains that of the previous release.
func (r *Rollout) progressing(status StyleStatus) ReleaseState {
	progress := r.Status.condition(conditionProgressing)
	switch {
	case progress.Reason == reasonCancelling:
		return Cancelling
	case progress.Reason == reasonFinalising, progress.Status == "False":
		return Completing
	case r.Spec.Strategy.Paused, progress.Reason == reasonPaused:
		return Suspended
	case progress.Reason != reasonInRolling:
		return StepInProgress
	case !slices.Contains(stepStates, status.CurrentStepState):
		return UnknownStepState
	case strings.HasPrefix(r.Status.Message, "new version releasing detected"):
		return Blocked
	case status.CurrentStepState == StepUpgrade && ofAnotherRelease(status):
		return Stuck
	case status.CurrentStepState != StepPaused || r.Status.ObservedGeneration < r.Metadata.Generation:
		return StepInProgress
	}
	return r.paused(status)
}

// EndsWithoutPause reports whether a step, from 0, is a last one with all pods: the
// controller does not pause there, whatever the pause of the step says, unless the release is
// blue-green.
func (s Strategy) EndsWithoutPause(step int) bool {
	steps := s.Steps()
	return s.BlueGreen == nil && step == len(steps)-1 && step >= 0 && steps[step].Replicas != nil && *steps[step].Replicas == "100%"
}

// paused is the state in the pause after a step.
func (r *Rollout) paused(status StyleStatus) ReleaseState {
	steps := r.Spec.Strategy.Steps()
	i := int(status.CurrentStepIndex) - 1
	if i < 0 || i >= len(steps) {
		return AwaitingApproval
	}
	if r.Spec.Strategy.EndsWithoutPause(i) {
		return StepInProgress
	}
	if _, manual := steps[i].Pause.Seconds(); !manual {
		return TimedPause
	}
	return AwaitingApproval
}

// batchRelease matches the controller's message about the BatchRelease of a
// step.
var batchRelease = regexp.MustCompile(`^BatchRelease is at state Ready, rollout-id (\S+), step`)

// ofAnotherRelease reports whether the step waits for a BatchRelease that is left
// over from a release during which the workload was deleted: it is ready for
// another version, or, after it has got the id of this release, although there are
// no pods of the new version.
func ofAnotherRelease(status StyleStatus) bool {
	id := cmp.Or(status.ObservedRolloutID, status.CanaryRevision)
	found := batchRelease.FindStringSubmatch(status.Message)
	if found == nil || id == "" {
		return false
	}
	return found[1] != id || status.PodTemplateHash == "" && status.CanaryReplicas == 0
}

// String describes the release in words that follow "the Rollout is".
func (r Release) String() string {
	at := fmt.Sprintf("step %d of %d", r.Step, r.Steps)
	switch r.State {
	case NotObserved:
		return "not yet observed by the controller of OpenKruise Rollouts"
	case NoWorkload:
		return "waiting for its workload, which does not exist"
	case Healthy:
		switch r.Outcome {
		case Completed:
			return "idle: the last release was completed"
		case Cancelled:
			return "idle: the last release was rolled back"
		default:
			return "idle"
		}
	case AwaitingApproval:
		return "paused at " + at + " until it is approved"
	case TimedPause:
		return fmt.Sprintf("paused at %s for %d seconds", at, r.PauseSeconds)
	case Suspended:
		return "suspended by paused = true at " + at
	case Blocked:
		return "at " + at + ", blocked: the workload was changed again during a blue-green release, which is not supported; roll it back, or apply the version that is being released again"
	case UnknownStepState:
		return fmt.Sprintf("at %s in a state that the controller does not know (%q)", at, r.StepState)
	case UnknownPhase:
		return fmt.Sprintf("in phase %q, which this provider does not know", r.Phase)
	case Stuck:
		return "at " + at + ", waiting for a BatchRelease of an earlier release, which never ends"
	case Cancelling:
		return "rolling back"
	case Completing:
		return "completing the release"
	case Disabling:
		return "being disabled, which promotes the new version"
	case Disabled:
		return "disabled"
	case Terminating:
		return "being deleted"
	default:
		switch {
		case r.TrafficRouting != "":
			return fmt.Sprintf("beginning, with traffic routing %q", r.TrafficRouting)
		case r.TrafficRoutingRef != nil:
			return fmt.Sprintf("beginning, with the traffic routing of Service %q", httpapi.Text(r.TrafficRoutingRef.Service))
		case r.Beginning:
			return fmt.Sprintf("beginning, with %d steps", r.Steps)
		}
		state := r.StepState
		if r.EndsWithoutPause && state == StepPaused {
			state = "the last, which does not pause"
		}
		return fmt.Sprintf("at %s (%s), %d pods of the new version, %d of them ready", at, state, r.UpdatedReplicas, r.UpdatedReadyReplicas)
	}
}
