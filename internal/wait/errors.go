package wait

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Cause is why a wait ended before the serving ran.
type Cause string

// The causes.
const (
	// CauseFailed: Kuscia reports the state Failed.
	CauseFailed Cause = "failed"
	// CauseTimedOut: the deadline of the wait is over.
	CauseTimedOut Cause = "timed out"
	// CauseCancelled: the caller gave up, as with Ctrl-C.
	CauseCancelled Cause = "cancelled"
	// CauseGone: somebody deleted the serving.
	CauseGone Cause = "gone"
	// CauseRefused: the server refuses, for a time, to tell the status.
	CauseRefused Cause = "refused"
	// CauseNoProgress: the rollout made no progress for Target.ProgressDeadline.
	CauseNoProgress Cause = "no progress"
	// CauseOtherCluster: what should show the rollout is the cluster of another Kuscia.
	CauseOtherCluster Cause = "other cluster"
)

// NotRunningError says that a serving does not run as asked, and where each
// party stood.
type NotRunningError struct {
	// ServingID is the serving.
	ServingID string
	// Cause is why the wait ended.
	Cause Cause
	// Target is what was waited for.
	Target Target
	// Last is the last status seen, nil for none.
	Last *kuscia.ServingStatusDetail
	// Answered is set when the serving was listed at least once, so that a nil
	// Last means that Kuscia reports no status for it.
	Answered bool
	// Outcome is the verdict over Last, Since how long it has been the same.
	Outcome Outcome
	Since   time.Duration
	// Started says of each party of the target whether the update was seen to reach
	// it.
	Started []bool
	// ReachableSince is since when Kuscia answers without a break; zero when it did
	// not answer at the end.
	ReachableSince time.Time
	// Stuck is the last status of this wait whose reason says why pods do not
	// start, and StuckAt how long after the beginning it was seen; nil for none.
	Stuck   *kuscia.ServingStatusDetail
	StuckAt time.Duration
	// Waited is how long the wait took.
	Waited time.Duration
	// StatusErr is why the last look at the status failed; nil when it did not.
	StatusErr error
	// Observation is what evidence showed last, nil for nothing; ObservationErr is why the last
	// look at it failed.
	Observation    *Observation
	ObservationErr error
	// Err is the context's error, or that of the server for CauseRefused.
	Err error
}

// Error tells the cause, what Kuscia says, the parties and what is likely
// wrong.
func (e *NotRunningError) Error() string { return describe(e) }

// Unwrap returns the context's or the server's error.
func (e *NotRunningError) Unwrap() error { return e.Err }

// StillThereError says that a deleted serving is still listed, or that this
// could not be found out.
type StillThereError struct {
	// ServingID is the serving.
	ServingID string
	// Waited is how long the wait took.
	Waited time.Duration
	// Listed is set when the serving was seen after its deletion.
	Listed bool
	// StatusErr is why the last look at the status failed; nil when it did not.
	StatusErr error
	// Err is the context's error, or that of the server.
	Err error
}

// Error tells what was seen last.
func (e *StillThereError) Error() string {
	switch {
	case e.StatusErr != nil:
		return fmt.Sprintf("whether serving %q is gone could not be found out within %s: %v", e.ServingID, round(e.Waited), e.StatusErr)
	case errors.Is(e.Err, context.Canceled):
		return fmt.Sprintf("the wait until serving %q is gone was cancelled after %s", e.ServingID, round(e.Waited))
	case !e.Listed:
		return fmt.Sprintf("no time was left to look whether serving %q is gone; it was deleted %s ago", e.ServingID, round(e.Waited))
	}
	return fmt.Sprintf("serving %q is still listed %s after it was deleted; another writer may have created it again", e.ServingID, round(e.Waited))
}

// Unwrap returns the context's or the server's error.
func (e *StillThereError) Unwrap() error { return e.Err }

// notRunning makes the error of a wait that ended with err.
func (w *waiter) notRunning(ctx context.Context, err error) *NotRunningError {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	out := &NotRunningError{
		ServingID: w.target.ServingID, Target: w.target, Last: w.last, Answered: w.answered,
		Started: slices.Clone(w.history.Started), Outcome: w.outcome, Since: now.Sub(w.since), Waited: now.Sub(w.began), StatusErr: w.lastPollErr,
		Stuck: w.lastPodFailure, StuckAt: w.lastPodFailureAt.Sub(w.began), Observation: w.observation, ObservationErr: w.lastObservationErr,
	}
	if !w.isOutage(now.Sub(w.lastPollAt)) {
		out.ReachableSince = w.reachableSince
	}
	out.Cause, out.Err = causeOf(ctx, err)
	return out
}

func (w *waiter) stillThere(ctx context.Context, err error) *StillThereError {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, cause := causeOf(ctx, err)
	return &StillThereError{ServingID: w.target.ServingID, Waited: time.Since(w.began), Listed: w.answered, StatusErr: w.lastPollErr, Err: cause}
}

func causeOf(ctx context.Context, err error) (Cause, error) {
	switch {
	case errors.Is(err, errFailed):
		return CauseFailed, nil
	case errors.Is(err, errGone):
		return CauseGone, nil
	case errors.Is(err, errNoProgress):
		return CauseNoProgress, nil
	case errors.Is(err, errOtherCluster):
		return CauseOtherCluster, nil
	case !errors.Is(err, errContext):
		return CauseRefused, err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return CauseTimedOut, ctx.Err()
	}
	return CauseCancelled, ctx.Err()
}

// round leaves out what nobody wants to read in a duration.
func round(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
