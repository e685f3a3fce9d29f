package kruise

import (
	"context"
	"time"
)

// clockSkewThreshold is how long a pause may last beyond its end by the local clock
// before the clock of the cluster is assumed to differ.
const clockSkewThreshold = 15 * time.Second

// PauseTimer tells, during one wait, how long the pause after a step takes. The zero
// value is ready for use.
type PauseTimer struct {
	// pause is the last pause that was seen, since is when it was first seen.
	pause stepState
	since time.Time
}

// stepState distinguishes the states of steps.
type stepState struct {
	step     int32
	revision string
	began    time.Time
}

// OutlastsWait reports whether a release is in a pause with a duration that ends
// later than the wait. Call it with every status that is read.
func (t *PauseTimer) OutlastsWait(ctx context.Context, r Release) bool {
	if r.State != TimedPause {
		*t = PauseTimer{}
		return false
	}
	if pause := (stepState{r.Step, r.Revision, r.StepStateSince}); t.since.IsZero() || t.pause != pause {
		t.pause, t.since = pause, time.Now()
	}
	deadline, has := ctx.Deadline()
	return has && time.Until(deadline) < t.left(r)
}

// left returns how long a pause still takes: the shorter of two estimates, one from the
// local time at which it was first seen, one from the controller's time in the status. The
// latter is ignored if by it the pause ended long ago, since the two clocks then differ.
func (t *PauseTimer) left(r Release) time.Duration {
	pause, seen := time.Duration(r.PauseSeconds)*time.Second, time.Since(t.since)
	if r.StepStateSince.IsZero() {
		return pause - seen
	}
	left := min(pause-seen, pause-time.Since(r.StepStateSince))
	if left <= -clockSkewThreshold && seen >= clockSkewThreshold {
		return pause - seen
	}
	return left
}
