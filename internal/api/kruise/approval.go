package kruise

import "fmt"

// Approval approves a paused step of a release.
type Approval struct {
	// Step is the step to approve; 0 is the step at which the release is
	// paused.
	Step int32
	// ToStep is the step to continue with; 0 is the next one.
	ToStep int32
}

// NotApprovableError explains why a step cannot be approved.
type NotApprovableError struct {
	Release Release
	// Why is a sentence; Next is what to do, or "".
	Why, Next string
}

// Error returns the reason.
func (e *NotApprovableError) Error() string { return e.Why }

// Check returns an error if the release cannot be approved like this.
func (a Approval) Check(r *Rollout) error {
	release := r.Release()
	refused := func(why, next string) error { return &NotApprovableError{Release: release, Why: why, Next: next} }
	switch release.State {
	case AwaitingApproval, TimedPause:
	case Healthy:
		return refused("There is no release to approve: the Rollout is "+release.String()+".", "A release begins when the image or the configuration of the workload changes.")
	case Suspended:
		return refused("The release is suspended: spec.strategy.paused is true. The controller would store an approval and apply it as soon as the release is resumed.",
			remedies[Suspended])
	case UnknownStepState:
		return refused(fmt.Sprintf("The state of the step is %q, which the controller does not know: it was set manually. The release does not continue.", release.StepState),
			remedies[UnknownStepState])
	case Blocked:
		return refused("The workload was changed during the blue-green release: "+release.Message+".", remedies[Blocked])
	case StepInProgress, Stuck:
		if a.Step != 0 && release.Step > a.Step {
			return refused(fmt.Sprintf("Step %d was approved already: the release is %s.", a.Step, release), "Approving a step in progress would skip it.")
		}
		return refused("The release is not paused: it is "+release.String()+".", "Approving a step in progress would skip it, even if its pods do not run. Wait until it is paused.")
	case UnknownPhase:
		return refused("The Rollout is "+release.String()+".", remedies[UnknownPhase])
	case NotObserved, NoWorkload, Cancelling, Completing, Disabling, Disabled, Terminating:
		return refused("There is no release to approve: the Rollout is "+release.String()+".", "")
	}
	if err := a.checkSteps(release, refused); err != nil {
		return err
	}
	if status, _ := r.style(); status.NextStepIndex == nil && a.jumps(release.Step) {
		return refused(fmt.Sprintf("This version of OpenKruise Rollouts cannot continue with step %d: the status of the Rollout has no nextStepIndex.", a.ToStep),
			"Omit to_step to continue with the next step. OpenKruise Rollouts 0.6 or later can continue with another one.")
	}
	return nil
}

// jumps reports whether the release is to continue with another step than the one after the
// current one.
func (a Approval) jumps(current int32) bool { return a.ToStep != 0 && a.ToStep != current+1 }

// checkSteps compares the steps with those of a paused release.
func (a Approval) checkSteps(release Release, refused func(why, next string) error) error {
	switch {
	case a.Step != 0 && a.Step < release.Step:
		return refused(fmt.Sprintf("Step %d was approved already: the release is %s.", a.Step, release), "")
	case a.Step != 0 && a.Step != release.Step:
		return refused(fmt.Sprintf("The release is not paused at step %d: it is %s.", a.Step, release), "")
	case a.ToStep < 0 || a.ToStep > release.Steps:
		return refused(fmt.Sprintf("There is no step %d: the Rollout has steps 1 to %d. The controller would store the number and ignore it.", a.ToStep, release.Steps), "")
	case a.ToStep == release.Step:
		return refused(fmt.Sprintf("The release is at step %d already.", a.ToStep), "Set another step in to_step, or omit it to continue with the next one.")
	}
	return nil
}

// Operation is an operation of a JSON patch.
type Operation struct {
	Op, Path string
	Value    any
}

// Patch is the JSON patch of the status that approves the step. It applies only
// if object, phase, step, state and version are as they were read. Call Check
// first.
func (a Approval) Patch(r *Rollout) []Operation {
	status, field := r.style()
	at, revision := "/status/"+field+"/", "canaryRevision"
	if r.Spec.Strategy.BlueGreen != nil {
		revision = "updatedRevision"
	}
	patch := []Operation{
		{"test", "/metadata/resourceVersion", r.Metadata.ResourceVersion},
		{"test", "/status/phase", PhaseProgressing},
		{"test", at + "currentStepIndex", status.CurrentStepIndex},
		{"test", at + "currentStepState", StepPaused},
		{"test", at + revision, status.CanaryRevision},
	}
	if !a.jumps(status.CurrentStepIndex) {
		return append(patch, Operation{"replace", at + "currentStepState", StepReady})
	}
	return append(patch, Operation{"replace", at + "nextStepIndex", a.ToStep})
}

// Progress is the progress of a release since an approval.
type Progress struct {
	// Done: the release has reached its next pause, or its end.
	Done bool
	// Failed explains why the release cannot get there any more, or is "".
	Failed string
	// Over: the approved release has ended, another one has begun, or this one has
	// begun again, so that the approval has no effect any more. Right after an approval
	// it is also set until the controller reacts.
	Over bool
	// Overwritten: the release is still in the pause that was approved, and its
	// status no longer has the approval. The controller replaces the whole status,
	// also after a conflict, and so loses an approval that was stored while it
	// reconciled (updateRolloutStatusInternal of OpenKruise Rollouts v0.6.2).
	Overwritten bool
}

// ProgressSince returns the progress since an approval. before is the approved release.
func (a Approval) ProgressSince(before, now Release) Progress {
	if isOfAnotherVersion(before, now) {
		return Progress{Failed: "The workload was changed, and the release restarted: it is " + now.String() + ".", Over: true}
	}
	switch now.State {
	case AwaitingApproval, TimedPause:
		if now.Step == before.Step {
			pending := a.isPending(now)
			return Progress{Over: !pending, Overwritten: !pending && isSamePause(before, now)}
		}
		return Progress{Done: now.State == AwaitingApproval}
	case Healthy:
		switch now.Outcome {
		case Completed:
			return Progress{Done: true}
		case Cancelled:
			return Progress{Failed: "The release was rolled back.", Over: true}
		default:
			return Progress{Failed: "The release has ended, but the controller does not report how.", Over: true}
		}
	case StepInProgress, Completing, NotObserved, Suspended, UnknownPhase:
		return Progress{}
	case Stuck:
		return Progress{Failed: "The release is " + now.String() + ". " + remedies[Stuck]}
	case Blocked, UnknownStepState:
		return Progress{Failed: "The release does not continue: the Rollout is " + now.String() + "."}
	default:
		return Progress{Failed: "The release does not continue: the Rollout is " + now.String() + ".", Over: true}
	}
}

// isOfAnotherVersion reports whether a release in its steps is that of another version
// than before.
func isOfAnotherVersion(before, now Release) bool {
	switch now.State {
	case AwaitingApproval, TimedPause, StepInProgress, Suspended, Stuck, UnknownStepState:
		return before.Revision != "" && now.Revision != "" && now.Revision != before.Revision
	default:
		return false
	}
}

// isSamePause reports whether a release has been paused since before. The controller
// changes the time of the step state when a pause ends.
func isSamePause(before, now Release) bool {
	return !now.StepStateSince.IsZero() && now.StepStateSince.Equal(before.StepStateSince)
}

// isPending reports whether the status of a paused release has the approval, to which
// the controller has not reacted yet. The approval of a continuation with the next step
// ends the pause at once.
func (a Approval) isPending(now Release) bool {
	return a.jumps(now.Step) && now.NextStep == a.ToStep
}
