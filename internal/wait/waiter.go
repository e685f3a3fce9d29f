package wait

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// waiter is one wait. The poller's loop passes it every status; the caller reads
// the result when the wait is over.
type waiter struct {
	// ctx is the caller's context, for the log.
	ctx         context.Context
	target      Target
	forDeletion bool
	options     options
	began       time.Time
	// due is when the next poll is due, pause is the planned time between the
	// last poll and that one, and fastPolling is set while the start of the
	// rollout has not been observed. queried is set during a request. The poller's
	// lock guards them.
	due         time.Time
	pause       time.Duration
	fastPolling bool
	queried     bool
	// done is closed when the wait is over; err is set before.
	done chan struct{}
	err  error

	mu      sync.Mutex
	history History
	last    *kuscia.ServingStatusDetail
	// wasListed is set once the serving was listed, with or without a status.
	wasListed bool
	outcome   Outcome
	// since is when outcome last changed.
	since       time.Time
	unlisted    int
	lastPollErr error
	// lastPollAt is when the last successful poll was sent; reachableSince is
	// since when there was no outage.
	lastPollAt, reachableSince time.Time
	// refused counts the consecutive refused polls.
	refused refusal
	// failing counts consecutive statuses with the same failure, givenUp the
	// observations.
	failing, givenUp failure
	// progress has the statuses so far, and progressAt is when a new one was last seen.
	progress   progressTracker
	progressAt time.Time
	podFailure PodFailure
	// observation is the last observation; it is copied to the history with the
	// next status. lastObservationErr is the error of the last call of the
	// observer, and observerRefused counts consecutive refused calls.
	observation        *Observation
	lastObservationErr error
	observerRefused    refusal
	// otherClusterSince is since when the observations have been of another serving;
	// zero if the last one was not.
	otherClusterSince time.Time
	// lastPodFailure is the last status with a reason why pods do not start.
	lastPodFailure   *kuscia.ServingStatusDetail
	lastPodFailureAt time.Time
	// logged is the last text of the log; loggedAt is when its last line was
	// written.
	logged   string
	loggedAt time.Time
	decided  bool
}

// The reasons for which a wait ends before the serving runs.
var (
	errFailed       = errors.New("the serving failed")
	errDeleted      = errors.New("the serving no longer exists")
	errPodsFail     = errors.New("pods do not start")
	errNoProgress   = errors.New("the rollout made no progress")
	errOtherCluster = errors.New("the cluster is that of another Kuscia")
)

func newWaiter(ctx context.Context, target Target, options options) *waiter {
	now := time.Now()
	if target.Since.IsZero() || target.Since.After(now) { // set by the clock of another machine
		target.Since = now
	}
	w := &waiter{
		ctx: ctx, target: target, options: options, began: now, since: now, loggedAt: now,
		lastPollAt: target.Since, reachableSince: target.Since,
		progressAt: target.Since, done: make(chan struct{}),
	}
	if since := target.ReachableSince; !since.IsZero() && since.Before(now) {
		w.lastPollAt, w.reachableSince, w.progressAt = now, since, now
	}
	if target.Before != nil {
		w.progress.record(fingerprint(target.Before.Status))
	}
	return w
}

// awaitsRolloutStart reports whether the start of a party's rollout has still to
// be observed.
func (w *waiter) awaitsRolloutStart() bool {
	return !w.forDeletion && !w.history.PastStartTimeout && len(w.history.StartNotObserved(w.target)) > 0
}

// isStarting reports whether the start of the rollout is likely to be visible soon. The
// poller's lock is held.
func (w *waiter) isStarting(now time.Time) bool {
	return w.fastPolling && now.Sub(w.began) < w.options.startLooks
}

// interval returns the time until the next poll, and whether the purpose of that
// poll is to observe the start of a rollout.
func (w *waiter) interval(now time.Time) (pause time.Duration, fastPolling bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.outcome.Blocker == NotConfirmed {
		return w.options.confirm, false
	}
	byAge := now.Sub(w.began) / time.Duration(w.options.ageDivisor)
	if w.awaitsRolloutStart() && w.lastPollErr == nil {
		return min(w.options.startPollMax, max(w.options.startPollMin, byAge)), true
	}
	pause = min(w.options.max, max(w.options.min, byAge))
	if w.refused.count > 0 {
		pause = max(pause, w.options.refusedPause)
	}
	return pause, false
}

// observe handles the response to a request that was sent at a time.
func (w *waiter) observe(at time.Time, result queryResult) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.decided {
		return
	}
	if result.err != nil {
		w.observeFailure(at, result.err)
		return
	}
	w.excludeOutage(at)
	w.refused, w.lastPollErr = refusal{}, nil
	if !result.listed {
		w.observeUnlisted(at)
		return
	}
	w.unlisted, w.wasListed = 0, true
	result.status = kuscia.StatusFor(w.ctx, result.status, w.isTargetParty)
	w.last = result.status
	if w.forDeletion {
		w.log("still listed", result.status)
		return
	}
	w.observeStatus(at, result.status)
}

// observeFailure ends the wait once the server has refused for refusedFor. No
// other failure ends it.
func (w *waiter) observeFailure(at time.Time, err error) {
	w.lastPollErr = err
	if w.refused.record(at, err) {
		w.decide(err)
		return
	}
	w.log("the status could not be queried: "+err.Error(), nil)
}

// excludeOutage excludes an outage from the measured times: while the API server
// is unreachable, its controllers do not work either.
func (w *waiter) excludeOutage(at time.Time) {
	gap := at.Sub(w.lastPollAt)
	if w.isOutage(gap) {
		w.reachableSince = at
		w.progressAt = w.progressAt.Add(gap)
	}
	w.lastPollAt = at
}

// isOutage reports whether a time without a response is long enough to count as
// an outage.
func (w *waiter) isOutage(gap time.Duration) bool {
	limit := w.options.outage
	if w.lastPollErr == nil {
		limit *= 2 // the client may have retried for as long
	}
	return gap > limit
}

func (w *waiter) observeUnlisted(at time.Time) {
	if w.forDeletion {
		w.decide(nil)
		return
	}
	w.unlisted++
	w.history.Consecutive = 0
	w.failing = failure{}
	// Right after a create, an API server that lags behind the others may not
	// have the serving yet.
	if w.unlisted >= confirmations && (w.wasListed || at.Sub(w.target.Since) >= w.options.statusLagMargin) {
		w.decide(errDeleted)
	}
}

func (w *waiter) observeStatus(at time.Time, status *kuscia.ServingStatusDetail) {
	age := at.Sub(w.target.Since)
	w.history.PastStatusLag, w.history.PastStatusLagMargin = age >= w.options.statusLag, age >= w.options.statusLagMargin
	w.history.PastStartTimeout = at.Sub(w.reachableSince) >= w.options.startTimeout
	w.history.PastStaleDeploymentTimeout = w.history.PastStaleDeploymentTimeout ||
		w.outcome.Blocker == StaleDeployment && at.Sub(w.since) >= w.options.staleDeploymentTimeout
	w.history.Observation = w.observation
	outcome, history := Evaluate(status, w.target, w.history)
	if outcome.Blocker != w.outcome.Blocker {
		w.since = at
	}
	w.outcome, w.history = outcome, history
	text := summary(status)
	if hint := reasonHint(status); hint != "" {
		if !w.target.Updated || !w.target.isAsBefore(status) {
			w.lastPodFailure, w.lastPodFailureAt = status, at
		}
		text += ". " + hint
	}
	if w.observation != nil {
		text += "; " + w.observation.Text
	}
	w.log(text, status)
	if w.progress.record(fingerprint(status)) {
		w.progressAt = at
	}
	podsFail := w.podFailure.Record(at, counts(status), w.podReason(status))
	failed := w.failing.record(at, failureOf(status, outcome)) || w.target.Updated && outcome.Phase == Failed
	deadline := w.target.ProgressDeadline
	switch {
	case outcome.Phase == Running:
		w.decide(nil)
	case failed:
		w.decide(errFailed)
	case podsFail:
		w.decide(errPodsFail)
	case deadline > 0 && at.Sub(w.progressAt) >= deadline:
		w.decide(errNoProgress)
	}
}

// podReason returns the reason of a status for pods that do not start; "" if it may be
// that of pods from before the update, which run until new ones are available.
func (w *waiter) podReason(status *kuscia.ServingStatusDetail) string {
	switch before := w.target.Before; {
	case status == nil:
		return ""
	case w.target.Updated && (before == nil || before.Status != nil && podReasonIn(before.Status.Reason) != nil):
		return ""
	}
	return status.Reason
}

// isTargetParty reports whether a party is one of those of the target.
func (w *waiter) isTargetParty(domainID, role string) bool {
	return slices.ContainsFunc(w.target.Parties, func(p PartyTarget) bool { return p.DomainID == domainID && p.Role == role })
}

// decide ends the wait. The lock is held.
func (w *waiter) decide(err error) {
	w.decided = true
	w.err = err
	close(w.done)
}
