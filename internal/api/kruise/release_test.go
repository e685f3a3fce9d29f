package kruise

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// recorded is a Rollout with a recorded status, and the expected situation.
type recorded struct {
	Recording string  `json:"recording"`
	Seconds   float64 `json:"seconds"`
	Want      string  `json:"want"`
	Rollout   Rollout `json:"rollout"`
}

// statuses are all recorded statuses; those that differ only in numbers occur
// once.
func statuses(t *testing.T) []recorded {
	t.Helper()
	return testfile.JSON[[]recorded](t, "testdata/statuses.json")
}

// TestReleaseStates: every recorded status of the real controller is interpreted
// as the expected situation. The outcome of a release is a condition; it is unknown for a
// Rollout that was disabled during the release. Only a step that waits can be approved.
func TestReleaseStates(t *testing.T) {
	t.Parallel()
	seen, ends := map[string]bool{}, map[Outcome]int{}
	for _, status := range statuses(t) {
		release, recorded := status.Rollout.Release(), status.Rollout.Status
		if got := release.State.String(); got != status.Want {
			t.Errorf("%s at %.2f s: want %s, got %s: %s", status.Recording, status.Seconds, status.Want, got, recorded.Message)
		}
		if release.String() == "" {
			t.Errorf("%s has no description", release.State)
		}
		promotes := recorded.Phase == PhaseProgressing
		if release.InProgress() != promotes {
			t.Errorf("%s at %.2f s: in progress is %t", status.Recording, status.Seconds, release.InProgress())
		}
		seen[status.Want] = true
		outcome := NoOutcome
		switch {
		case release.State != Healthy:
		case strings.Contains(recorded.Message, "has been canceled"):
			outcome = Cancelled
		case strings.Contains(recorded.Message, "progressing has been completed"):
			outcome = Completed
		}
		ends[outcome]++
		if release.State == Healthy && release.Outcome != outcome {
			t.Errorf("%s at %.2f s: outcome %d, want %d", status.Recording, status.Seconds, release.Outcome, outcome)
		}
		waits := status.Want == "awaiting approval" || status.Want == "timed pause"
		for step := int32(0); step <= 4; step++ {
			err := Approval{Step: step}.Check(&status.Rollout)
			if wanted := waits && (step == 0 || step == release.Step); (err == nil) != wanted {
				t.Errorf("%s at %.2f s, %s: approving step %d: %v", status.Recording, status.Seconds, status.Want, step, err)
			}
		}
	}
	if len(ends) != 3 {
		t.Errorf("the recordings have the outcomes %v", ends)
	}
	for situation, name := range releaseStateNames {
		if !seen[name] && situation != UnknownPhase {
			t.Errorf("no recording shows %s (%d)", name, situation)
		}
	}
}

// TestUnknownPhase: a phase of a later controller may be a release. It is named, the
// advice is not that for another state, and nothing can be approved.
func TestUnknownPhase(t *testing.T) {
	t.Parallel()
	r := &statuses(t)[0].Rollout
	r.Status.Phase, r.Status.ObservedGeneration = "Reverting", r.Metadata.Generation
	release := r.Release()
	if next, waits := release.ManualAction(); !waits || !strings.Contains(next, "version of the provider") || release.State != UnknownPhase || !release.InProgress() || !strings.Contains(release.String(), `"Reverting"`) {
		t.Errorf("%s: %s, %q", release.State, release, next)
	}
	var refused *NotApprovableError
	if err := (Approval{}).Check(r); !errors.As(err, &refused) || !strings.Contains(refused.Error(), `"Reverting"`) {
		t.Errorf("approval: %v", err)
	}
}

// TestApprovalTexts covers the messages for approvals that are not possible.
func TestApprovalTexts(t *testing.T) {
	t.Parallel()
	find := func(recording string, seconds float64) *Rollout {
		for _, status := range statuses(t) {
			if status.Recording == recording && status.Seconds == seconds {
				return &status.Rollout
			}
		}
		t.Fatalf("no status of %s at %g s", recording, seconds)
		return nil
	}
	paused := find("1-api-canary", 12.27)
	older := *paused
	older.Status.CanaryStatus = new(*paused.Status.CanaryStatus)
	older.Status.CanaryStatus.NextStepIndex = nil
	if err := (Approval{ToStep: 2}).Check(&older); err != nil {
		t.Errorf("the next step: %v", err)
	}
	for name, test := range map[string]struct {
		at   *Rollout
		what Approval
		says string
	}{
		"no release":    {find("1-api-bluegreen", 34.27), Approval{Step: 1}, "no release to approve"},
		"another step":  {paused, Approval{Step: 2}, "not paused at step 2: it is paused at step 1 of 3"},
		"twice":         {find("1-api-canary", 17.34), Approval{Step: 1}, "Step 1 was approved already"},
		"moving":        {find("1-api-canary", 7.46), Approval{Step: 1}, "not paused: it is at step 1 of 3 (StepUpgrade)"},
		"suspended":     {find("2-pause", 9.22), Approval{Step: 1}, "spec.strategy.paused is true"},
		"no workload":   {find("2-kddel", 9.69), Approval{Step: 1}, "the Rollout is waiting for its workload, which does not exist"},
		"negative":      {paused, Approval{ToStep: -5}, "no step -5"},
		"cancelling":    {find("2-jp", 60.59), Approval{Step: 2}, "rolling back"},
		"third image":   {find("2-cont-bluegreen", 14.33), Approval{Step: 2}, "please rollback first"},
		"stuck":         {find("2-stalebr", 22.45), Approval{Step: 1}, "BatchRelease of an earlier release"},
		"the same step": {paused, Approval{ToStep: 1}, "at step 1 already"},
		"step 99":       {paused, Approval{Step: 1, ToStep: 99}, "no step 99: the Rollout has steps 1 to 3"},
		"Rollouts 0.5":  {&older, Approval{ToStep: 3}, "cannot continue with step 3: the status of the Rollout has no nextStepIndex"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := test.what.Check(test.at); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestPatch: an approval sets the state, a jump sets the next step, and both
// apply only to the status that was read.
func TestPatch(t *testing.T) {
	t.Parallel()
	status := StyleStatus{CurrentStepIndex: 2, NextStepIndex: new(int32(3)), CurrentStepState: StepPaused, CanaryRevision: "abc"}
	canary := &Rollout{Metadata: Metadata{ResourceVersion: "7"}, Spec: RolloutSpec{Strategy: Strategy{Canary: &StyleSpec{}}}, Status: RolloutStatus{CanaryStatus: &status}}
	green := &Rollout{Metadata: Metadata{ResourceVersion: "7"}, Spec: RolloutSpec{Strategy: Strategy{BlueGreen: &StyleSpec{}}}, Status: RolloutStatus{
		BlueGreenStatus: &BlueGreenStatus{StyleStatus: status, UpdatedRevision: "abc"}, CanaryStatus: &StyleStatus{CurrentStepIndex: 9},
	}}
	for name, test := range map[string]struct {
		of       *Rollout
		what     Approval
		style    string
		revision string
		last     Operation
	}{
		"approve":                {canary, Approval{}, "canaryStatus", "canaryRevision", Operation{"replace", "/status/canaryStatus/currentStepState", StepReady}},
		"the next step":          {canary, Approval{ToStep: 3}, "canaryStatus", "canaryRevision", Operation{"replace", "/status/canaryStatus/currentStepState", StepReady}},
		"jump":                   {canary, Approval{ToStep: 1}, "canaryStatus", "canaryRevision", Operation{"replace", "/status/canaryStatus/nextStepIndex", int32(1)}},
		"blue-green, other left": {green, Approval{Step: 2}, "blueGreenStatus", "updatedRevision", Operation{"replace", "/status/blueGreenStatus/currentStepState", StepReady}},
	} {
		want := []Operation{
			{"test", "/metadata/resourceVersion", "7"}, {"test", "/status/phase", "Progressing"},
			{"test", "/status/" + test.style + "/currentStepIndex", int32(2)}, {"test", "/status/" + test.style + "/currentStepState", "StepPaused"},
			{"test", "/status/" + test.style + "/" + test.revision, "abc"}, test.last,
		}
		if patch := test.what.Patch(test.of); !slices.Equal(patch, want) {
			t.Errorf("%s: the patch is %v, want %v", name, patch, want)
		}
	}
}

// TestSince covers the progress after an approval, as recorded. The controller still has to react
// to one of another step than the next one, which does not end the pause. An approval was
// overwritten if the release is still in the same pause, unless it has returned to the step, or
// it is unknown since when it was paused.
func TestSince(t *testing.T) {
	t.Parallel()
	before := Release{State: AwaitingApproval, Step: 1, Steps: 3, Revision: "b"}
	since := before
	since.NextStep, since.StepStateSince = 2, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	later, jumps := since, since
	later.StepStateSince = since.StepStateSince.Add(6 * time.Second)
	jumps.NextStep = 3
	for name, test := range map[string]struct {
		now  Release
		want Progress
	}{
		"no reaction yet": {before, Progress{Over: true}},
		"moving":          {Release{State: StepInProgress, Step: 2}, Progress{}},
		"the next pause":  {Release{State: AwaitingApproval, Step: 2, Revision: "b"}, Progress{Done: true}},
		"a timed pause":   {Release{State: TimedPause, Step: 2, Revision: "b", PauseSeconds: 2}, Progress{}},
		"the end":         {Release{State: Healthy, Outcome: Completed}, Progress{Done: true}},
		"enabled again":   {Release{State: Healthy}, Progress{Failed: "The release has ended, but the controller does not report how.", Over: true}},
		"rolled back":     {Release{State: Healthy, Outcome: Cancelled}, Progress{Failed: "The release was rolled back.", Over: true}},
		"another version": {Release{State: AwaitingApproval, Step: 1, Steps: 3, Revision: "c"}, Progress{Failed: "The workload was changed, and the release restarted: it is paused at step 1 of 3 until it is approved.", Over: true}},
		"suspended":       {Release{State: Suspended, Step: 2}, Progress{}},
		"its first step":  {Release{State: StepInProgress, StepState: "X", Step: 1, Steps: 3, Revision: "c"}, Progress{Failed: "The workload was changed, and the release restarted: it is at step 1 of 3 (X), 0 pods of the new version, 0 of them ready.", Over: true}},
		"blocked":         {Release{State: Blocked, Step: 1, Steps: 3, Revision: "b"}, Progress{Failed: "The release does not continue: the Rollout is at step 1 of 3, blocked: the workload was changed again during a blue-green release, which is not supported; roll it back, or apply the version that is being released again."}},
		"disabled":        {Release{State: Disabled}, Progress{Failed: "The release does not continue: the Rollout is disabled.", Over: true}},
	} {
		if got := (Approval{Step: 1}).ProgressSince(before, test.now); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
	for name, test := range map[string]struct {
		toStep int32
		now    Release
		want   Progress
	}{
		"same pause":                {0, since, Progress{Over: true, Overwritten: true}},
		"paused again":              {0, later, Progress{Over: true}},
		"unknown now":               {0, before, Progress{Over: true}},
		"next step":                 {2, since, Progress{Over: true, Overwritten: true}},
		"pending jump":              {3, jumps, Progress{}},
		"jump that was overwritten": {3, since, Progress{Over: true, Overwritten: true}},
	} {
		if got := (Approval{Step: 1, ToStep: test.toStep}).ProgressSince(since, test.now); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestStuckByReleaseID: a step waits for a BatchRelease of another release if that has
// another id than the Rollout: its observed id, which a label of the workload can set,
// or else the revision.
func TestStuckByReleaseID(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ready, observed string
		pods            int32
		hash            string
		want            ReleaseState
	}{
		{"abc", "", 1, "abc", StepInProgress},
		{"old", "", 1, "abc", Stuck},
		{"abc", "abc", 1, "", StepInProgress},
		{"abc", "abc", 0, "abc", StepInProgress},
		{"abc", "abc", 0, "", Stuck}, // as a real controller shows it
		{"old", "abc", 0, "", Stuck},
		{"my-release.7", "my-release.7", 1, "abc", StepInProgress},
		{"my-release.6", "my-release.7", 1, "abc", Stuck},
	} {
		rollout := &Rollout{Status: RolloutStatus{Phase: PhaseProgressing, Conditions: []Condition{{Type: conditionProgressing, Status: "True", Reason: reasonInRolling}}}}
		rollout.Spec.Strategy.Canary = &StyleSpec{Steps: make([]Step, 2)}
		rollout.Status.CanaryStatus = &StyleStatus{
			CurrentStepIndex: 1, CurrentStepState: StepUpgrade, CanaryRevision: "abc", ObservedRolloutID: test.observed, CanaryReplicas: test.pods, PodTemplateHash: test.hash,
			Message: "BatchRelease is at state Ready, rollout-id " + test.ready + ", step 1",
		}
		if got := rollout.Release().State; got != test.want {
			t.Errorf("ready %q, observed %q: %s, want %s", test.ready, test.observed, got, test.want)
		}
	}
}

// TestLastStepDoesNotPause: the state of the last step says StepPaused for a moment also
// where there is no pause.
func TestLastStepDoesNotPause(t *testing.T) {
	for last, want := range map[IntOrPercent]string{"100%": "at step 1 of 1 (the last, which does not pause), 0 pods", "50%": "paused at step 1 of 1 until it is approved"} {
		rollout := &Rollout{Status: RolloutStatus{Phase: PhaseProgressing, Conditions: []Condition{{Type: conditionProgressing, Status: "True", Reason: reasonInRolling}}}}
		rollout.Spec.Strategy.Canary = &StyleSpec{Steps: []Step{{Replicas: &last}}}
		rollout.Status.CanaryStatus = &StyleStatus{CurrentStepIndex: 1, NextStepIndex: new(int32(-1)), CurrentStepState: StepPaused}
		if got := rollout.Release().String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", last, got, want)
		}
	}
}
