package servingstatus

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Cause is why a wait ended before the serving ran as specified.
type Cause string

// The causes.
const (
	// CauseFailed: Kuscia reports the state Failed, or the Observer a rollout that only a
	// manual change continues.
	CauseFailed Cause = "failed"
	// CauseTimedOut: the deadline of the wait has passed.
	CauseTimedOut Cause = "timed out"
	// CauseCanceled: the context was canceled, for example by Ctrl-C.
	CauseCanceled Cause = "canceled"
	// CauseDeleted: the serving was deleted during the wait.
	CauseDeleted Cause = "gone"
	// CauseRefused: the server has refused the status queries for refusedFor.
	CauseRefused Cause = "refused"
	// CauseNoProgress: the rollout made no progress for Target.ProgressDeadline.
	CauseNoProgress Cause = "no progress"
	// CausePodsFail: pods have not started for wait.PodFailureTimeout for a reason that rarely
	// heals.
	CausePodsFail Cause = "pods fail"
	// CauseOtherCluster: the Observer reads the cluster of another Kuscia.
	CauseOtherCluster Cause = "other cluster"
)

// NotRunningError reports that a serving does not run as specified, with the
// status of each party.
type NotRunningError struct {
	// ServingID is the id of the serving.
	ServingID string
	// Cause is why the wait ended.
	Cause Cause
	// Target is the desired state.
	Target Target
	// Last is the last status, nil if there was none.
	Last *kuscia.ServingStatusDetail
	// Listed is set if the serving was listed at least once, so that a nil
	// Last means that Kuscia reports no status for it.
	Listed bool
	// Verdict is that of the judge for Last; Since is how long its reason has been
	// the same.
	Verdict judge.Verdict
	Since   time.Duration
	// Started is set for each party of the target whose rollout start was
	// observed.
	Started []bool
	// ReachableSince is since when Kuscia has been reachable without an outage;
	// zero if it was unreachable at the end.
	ReachableSince time.Time
	// Stuck is the last status of this wait with a reason why pods do not start,
	// nil if there was none. StuckAt is how long after the start of the wait it
	// was observed.
	Stuck   *kuscia.ServingStatusDetail
	StuckAt time.Duration
	// Waited is how long the wait took.
	Waited time.Duration
	// StatusErr is the error of the last status query; nil if it succeeded.
	StatusErr error
	// Observation is the last observation, nil if there was none. ObservationErr
	// is the error of the last call of the observer; nil if it succeeded.
	Observation    *Observation
	ObservationErr error
	// Pods is why pods do not run, as the observer knows it, and Reported what Kuscia has
	// reported of them.
	Pods     podstatus.Report
	Reported podstatus.Reported
	// Err is the error of the context, or that of the server for CauseRefused.
	Err error
}

// Error describes the cause, Kuscia's status, the parties and the likely reason.
func (e *NotRunningError) Error() string { return describe(e) }

// IsDeleted reports whether the serving was deleted during the wait.
func (e *NotRunningError) IsDeleted() bool { return e.Cause == CauseDeleted }

// LastError is the error of the last status query; nil if it succeeded.
func (e *NotRunningError) LastError() error { return e.StatusErr }

// StartNotObserved reports that all replica counts were as desired when the wait ended, and
// only the start of a rollout was not observed: the serving may well run.
func (e *NotRunningError) StartNotObserved() bool {
	return (e.Cause == CauseTimedOut || e.Cause == CauseNoProgress) && e.Last != nil && e.Verdict.Reason == judge.StartNotObserved
}

// Unwrap returns the context's or the server's error.
func (e *NotRunningError) Unwrap() error { return e.Err }

// notRunning returns the error of a wait that ended with err.
func (w *Wait) notRunning(ctx context.Context, err error) *NotRunningError {
	now := time.Now()
	out := &NotRunningError{
		ServingID: w.target.ServingID, Cause: w.cause, Err: w.err, Target: w.target, Last: w.last, Listed: w.wasListed,
		Started: slices.Clone(w.history.Started), Verdict: w.verdict, Since: now.Sub(w.history.Since), Waited: now.Sub(w.began), StatusErr: w.lastPollErr,
		Stuck: w.lastPodFailure, StuckAt: w.lastPodFailureAt.Sub(w.began), Observation: w.observation, ObservationErr: w.lastObservationErr,
		Reported: w.reported,
	}
	if !w.isOutage(now.Sub(w.lastPollAt)) {
		out.ReachableSince = w.reachableSince
	}
	if !w.over {
		out.Cause, out.Err = causeOf(ctx, err)
	}
	switch out.Cause {
	case CauseDeleted, CauseOtherCluster:
	default:
		out.Pods = w.pods(ctx)
	}
	return out
}

// pods is why pods do not run, as the observer knows it.
func (w *Wait) pods(ctx context.Context) podstatus.Report {
	if w.target.Observer == nil {
		return podstatus.Report{}
	}
	return w.target.Observer.Pods(ctx)
}

// causeOf is why wait.Poll has ended with err.
func causeOf(ctx context.Context, err error) (Cause, error) {
	switch {
	case ctx.Err() == nil:
		return CauseRefused, err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return CauseTimedOut, ctx.Err()
	}
	return CauseCanceled, wait.Ended(ctx)
}

// round rounds a duration for messages.
func round(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
