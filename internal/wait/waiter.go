package wait

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// waiter is one wait. The poller's loop tells it what it sees; the caller
// reads it when the wait is over.
type waiter struct {
	// ctx is the caller's, for the log.
	ctx     context.Context
	target  Target
	gone    bool
	options options
	began   time.Time
	// due is when the wait wants to be looked after; the poller's lock guards
	// it.
	due time.Time
	// done is closed when the wait is decided; err is set before.
	done chan struct{}
	err  error

	mu      sync.Mutex
	history History
	last    *kuscia.ServingStatusDetail
	// answered is set once the serving was listed, whatever its status.
	answered bool
	outcome  Outcome
	// since is when outcome began to be what it is.
	since       time.Time
	unlisted    int
	lastPollErr error
	logged      string
	decided     bool
}

// Why a wait ended without the serving running.
var (
	errFailed = errors.New("the serving failed")
	errGone   = errors.New("the serving no longer exists")
)

func newWaiter(ctx context.Context, target Target, options options) *waiter {
	now := time.Now()
	if target.Since.IsZero() {
		target.Since = now
	}
	return &waiter{ctx: ctx, target: target, options: options, began: now, since: now, done: make(chan struct{})}
}

// interval is how long the wait can do without another look.
func (w *waiter) interval(now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.outcome.Obstacle == Unconfirmed {
		return w.options.confirm
	}
	return min(w.options.max, max(w.options.min, now.Sub(w.began)/time.Duration(w.options.share)))
}

// observe takes in an answer to a request made at that time.
func (w *waiter) observe(at time.Time, a answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.decided {
		return
	}
	switch {
	case a.err != nil:
		w.lastPollErr = a.err
		if endsWait(a.err) {
			w.decide(a.err)
			return
		}
		w.log("the status could not be asked: "+a.err.Error(), nil)
	case !a.listed:
		w.observeUnlisted(at)
	default:
		w.unlisted, w.lastPollErr, w.answered = 0, nil, true
		a.status = kuscia.StatusFor(w.ctx, a.status, w.knows)
		w.last = a.status
		if w.gone {
			w.log("still listed", a.status)
			return
		}
		w.observeStatus(at, a.status)
	}
}

func (w *waiter) observeUnlisted(at time.Time) {
	w.lastPollErr = nil
	if w.gone {
		w.decide(nil)
		return
	}
	w.unlisted++
	w.history.InRow = 0
	// Right after a create, an API server behind the others may not know it
	// yet.
	if w.unlisted >= confirmations && (w.answered || at.Sub(w.target.Since) >= w.options.settle) {
		w.decide(errGone)
	}
}

func (w *waiter) observeStatus(at time.Time, status *kuscia.ServingStatusDetail) {
	w.history.Settled = at.Sub(w.target.Since) >= w.options.settle
	w.history.LeftoversOver = w.history.LeftoversOver ||
		w.outcome.Obstacle == Leftover && at.Sub(w.since) >= w.options.leftovers
	outcome, history := Verdict(status, w.target, w.history)
	if outcome.Obstacle != w.outcome.Obstacle {
		w.since = at
	}
	w.outcome, w.history = outcome, history
	w.log(summary(status), status)
	switch outcome.Standing {
	case Running:
		w.decide(nil)
	case Failed:
		w.decide(errFailed)
	}
}

// knows reports whether a party is one of those that are waited for.
func (w *waiter) knows(domainID, role string) bool {
	return slices.ContainsFunc(w.target.Parties, func(p PartyTarget) bool { return p.DomainID == domainID && p.Role == role })
}

// decide ends the wait. The lock is held.
func (w *waiter) decide(err error) {
	w.decided = true
	w.err = err
	close(w.done)
}

// log writes a progress line when something changed.
func (w *waiter) log(text string, status *kuscia.ServingStatusDetail) {
	if text == w.logged {
		return
	}
	w.logged = text
	if w.target.Progress != nil {
		w.target.Progress(text)
	}
	fields := map[string]any{"serving_id": w.target.ServingID, "waited_ms": time.Since(w.began).Milliseconds()}
	if status != nil {
		fields["state"], fields["reason"], fields["message"] = status.State, status.Reason, status.Message
	}
	verb := "waiting until it runs"
	if w.gone {
		verb = "waiting until it is gone"
	}
	tflog.Info(w.ctx, fmt.Sprintf("serving %s: %s: %s", w.target.ServingID, verb, text), fields)
}

// summary is one line about a status, the same whatever the order of parties.
func summary(status *kuscia.ServingStatusDetail) string {
	if status == nil {
		return "no status yet"
	}
	var b strings.Builder
	b.WriteString(status.State)
	if status.Reason != "" {
		fmt.Fprintf(&b, " (%s)", status.Reason)
	}
	for _, party := range sortedParties(status) {
		fmt.Fprintf(&b, ", %s: %d pods, %d updated, %d available", partyName(party.DomainID, party.Role),
			party.Replicas, party.UpdatedReplicas, party.AvailableReplicas)
	}
	return b.String()
}
