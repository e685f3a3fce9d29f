package kruise

import "time"

// stuckDelay is how long a release has to look stuck to count as such: during a rollback
// in batches, and after a change of the rollout id of a Deployment, the BatchRelease of the
// previous version still exists for a moment.
const stuckDelay = 15 * time.Second

// StuckTimer tells, during one wait, whether a release is stuck. The zero value is ready
// for use.
type StuckTimer struct {
	// step is the last one that looked stuck, since is when it was first seen.
	step  stepState
	since time.Time
}

// Confirm returns a release as it is, or with its step in progress as long as it has not
// looked stuck for stuckDelay. Call it with every status that is read.
func (t *StuckTimer) Confirm(r Release) Release {
	if r.State != Stuck {
		*t = StuckTimer{}
		return r
	}
	if step := (stepState{r.Step, r.Revision, r.StepStateSince}); t.since.IsZero() || t.step != step {
		t.step, t.since = step, time.Now()
	}
	if time.Since(t.since) < stuckDelay {
		r.State = StepInProgress
	}
	return r
}
