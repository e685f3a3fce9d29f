package servingstatus

import (
	"context"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Wait waits until a serving runs as specified: wait.Poll calls Probe until it is over, and
// End returns the result.
type Wait struct {
	target  Target
	options options
	source  *Subscription
	cluster *observing
	log     *progressLog
	began   time.Time

	// judged is the target for the judge.
	judged  judge.Target
	history judge.History
	last    *kuscia.ServingStatusDetail
	// wasListed is set once the serving was listed, with or without a status.
	wasListed   bool
	verdict     judge.Verdict
	unlisted    int
	lastPollErr error
	// lastPollAt is when the last successful poll was sent; reachableSince is
	// since when there was no outage.
	lastPollAt, reachableSince time.Time
	// failing counts consecutive statuses with the same failure, givenUp the
	// observations.
	failing, givenUp failure
	// progress has the statuses so far, and progressAt is when a new one was last seen.
	progress   wait.Progress
	progressAt time.Time
	podFailure wait.PodFailure
	// observation is the last observation. lastObservationErr is the error of the last call of the
	// observer, and observerRefused counts consecutive refused calls.
	observation        *Observation
	lastObservationErr error
	observerRefused    wait.Refusal
	// otherClusterSince is since when the observations have been of another serving;
	// zero if the last one was not.
	otherClusterSince time.Time
	// lastPodFailure is the last status with a reason why pods do not start.
	lastPodFailure   *kuscia.ServingStatusDetail
	lastPodFailureAt time.Time
	reported         podstatus.Reported
	// over is set when the wait is over: the serving runs, its rollout is paused, or cause is
	// why it does not run. err explains CauseRefused.
	over, paused bool
	cause        Cause
	err          error
}

// ForServing begins a wait. The caller must call End.
func (p *Poller) ForServing(ctx context.Context, target Target) *Wait {
	now := time.Now()
	if target.Since.IsZero() || target.Since.After(now) { // set by the clock of another machine
		target.Since = now
	}
	w := &Wait{
		target: target, judged: target.Judged(), options: p.options, began: now, history: judge.History{Since: now},
		source: p.subscribe(ctx, target.ServingID, target.Slot), cluster: observe(ctx, target.Observer, p.options.min),
		log:        newProgressLog(ctx, target.ServingID, "waiting until it runs", p.heartbeat, target.Progress),
		lastPollAt: target.Since, reachableSince: target.Since, progressAt: target.Since,
	}
	if since := target.ReachableSince; !since.IsZero() && since.Before(now) {
		w.lastPollAt, w.reachableSince, w.progressAt = now, since, now
	}
	if target.Before != nil {
		w.progress.Record(fingerprint(target.Before.Status))
	}
	return w
}

// WaitRunning waits until the serving runs as specified. Otherwise the error is
// a *NotRunningError.
func (p *Poller) WaitRunning(ctx context.Context, target Target) (Result, error) {
	w := p.ForServing(ctx, target)
	return w.End(ctx, wait.Poll(ctx, wait.Interval{}, w.Probe))
}

// Probe asks for the next status, and reports whether the wait is over. An error is that of
// the query.
func (w *Wait) Probe(ctx context.Context) (over bool, err error) {
	w.source.ask(w.interval(time.Now()))
	for {
		select {
		case result := <-w.source.results:
			err := w.record(result)
			return w.over, err
		case <-w.cluster.due.C:
			w.cluster.read()
		case seen := <-w.cluster.results:
			w.cluster.reading = false
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if !w.recordObservation(seen) {
				w.cluster.due.Reset(w.options.pause(time.Since(w.began), nil))
			}
			if w.over {
				return true, nil
			}
		case <-w.log.due.C:
			w.log.heartbeat(missing(w.verdict), w.history.Since, w.last)
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// End ends the wait; err is that of wait.Poll.
func (w *Wait) End(ctx context.Context, err error) (Result, error) {
	w.source.end()
	w.cluster.end()
	w.log.due.Stop()
	switch {
	case w.paused:
		return Result{Status: w.last, Paused: w.observation.Paused, Pods: w.pods(ctx)}, nil
	case w.over && w.cause == "":
		return Result{Status: w.last, StartNotObserved: w.history.Unseen(w.judged)}, nil
	}
	return Result{}, w.notRunning(ctx, err)
}

// awaitsRolloutStart reports whether the start of a party's rollout has still to
// be observed.
func (w *Wait) awaitsRolloutStart() bool {
	return !w.history.PastStartTimeout && len(w.history.Unseen(w.judged)) > 0
}

// interval returns the time until the next poll, and whether the purpose of that
// poll is to observe the start of a rollout.
func (w *Wait) interval(now time.Time) (pause time.Duration, fast bool) {
	age := now.Sub(w.began)
	switch {
	case w.verdict.Reason == judge.NotConfirmed:
		return w.options.confirm, false
	case w.awaitsRolloutStart() && w.lastPollErr == nil:
		return min(w.options.startPollMax, max(w.options.startPollMin, age/time.Duration(w.options.ageDivisor))), true
	case w.source.isNew():
		return w.options.first, false
	}
	return w.options.pause(age, w.lastPollErr), false
}

// record handles the response to a query, and returns its error. No failure but one that
// wait.Poll knows ends the wait.
func (w *Wait) record(result queryResult) error {
	if result.err != nil {
		w.lastPollErr = result.err
		w.log.line("the status could not be queried: "+result.err.Error(), nil)
		return result.err
	}
	w.excludeOutage(result.at)
	w.lastPollErr = nil
	if !result.listed {
		w.recordUnlisted(result.at)
		return nil
	}
	w.unlisted, w.wasListed = 0, true
	w.last = kuscia.StatusFor(w.source.ctx, result.status, w.isTargetParty)
	w.recordStatus(result.at, w.last)
	return nil
}

// excludeOutage excludes an outage from the measured times: while the API server
// is unreachable, its controllers do not work either.
func (w *Wait) excludeOutage(at time.Time) {
	gap := at.Sub(w.lastPollAt)
	if w.isOutage(gap) {
		w.reachableSince = at
		w.progressAt = w.progressAt.Add(gap)
	}
	w.lastPollAt = at
}

// isOutage reports whether a time without a response is long enough to count as
// an outage.
func (w *Wait) isOutage(gap time.Duration) bool {
	limit := w.options.outage
	if w.lastPollErr == nil {
		limit *= 2 // the client may have retried for as long
	}
	return gap > limit
}

// minUnlisted is the number of consecutive responses without the serving after which it counts as
// deleted.
const minUnlisted = 2

func (w *Wait) recordUnlisted(at time.Time) {
	w.unlisted++
	w.history = w.history.Interrupted()
	w.failing = failure{}
	// Right after a create, an API server that lags behind the others may not
	// have the serving yet.
	if w.unlisted >= minUnlisted && (w.wasListed || at.Sub(w.target.Since) >= w.options.times.LagMargin) {
		w.decide(CauseDeleted)
	}
}

func (w *Wait) recordStatus(at time.Time, status *kuscia.ServingStatusDetail) {
	state, history := StateOf(status, w.observation), w.history.At(at, w.target.Since, w.reachableSince, w.options.times)
	verdict, history := judge.Judge(state, w.judged, history)
	w.verdict, w.history = verdict, history
	text := summary(status)
	if hint := reasonHint(status); hint != "" {
		if !w.target.Updated || !state.IsAsBefore(w.judged) {
			w.lastPodFailure, w.lastPodFailureAt = status, at
			w.reported.Record(status.Reason, status.Message)
		}
		text += ". " + hint
	}
	if w.observation != nil {
		text += "; " + w.observation.Text
	}
	w.log.line(text, status)
	if w.progress.Record(fingerprint(status)) {
		w.progressAt = at
	}
	podsFail := w.podFailure.Record(at, counts(status), w.podReason(status))
	failed := w.failing.record(at, failureOf(status, verdict)) || w.target.Updated && verdict.Is == judge.Stands
	deadline := w.target.ProgressDeadline
	switch {
	case verdict.Runs():
		w.decide("")
	case failed:
		w.decide(CauseFailed)
	case podsFail:
		w.decide(CausePodsFail)
	case deadline > 0 && at.Sub(w.progressAt) >= deadline:
		w.decide(CauseNoProgress)
	}
}

// podReason returns the reason of a status for pods that do not start; "" if it may be
// that of pods from before the update, which run until new ones are available.
func (w *Wait) podReason(status *kuscia.ServingStatusDetail) string {
	switch before := w.target.Before; {
	case status == nil:
		return ""
	case w.target.Updated && (before == nil || before.Status != nil && wait.PodHint(before.Status.Reason) != ""):
		return ""
	}
	return status.Reason
}

// isTargetParty reports whether a party is one of those of the target.
func (w *Wait) isTargetParty(domainID, role string) bool {
	return slices.ContainsFunc(w.target.Parties, func(p PartyTarget) bool { return p.DomainID == domainID && p.Role == role })
}

// decide ends the wait, with "" if the serving runs.
func (w *Wait) decide(cause Cause) { w.over, w.cause = true, cause }
