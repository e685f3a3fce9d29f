package wait

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// StatusSource returns the status of many servings in one request.
type StatusSource interface {
	BatchQueryServingStatus(ctx context.Context, ids []string) ([]kuscia.ServingStatus, error)
}

// Poller polls for all waits of a process. Each poll is a single request for all
// servings that are due, and there is one request at a time. It runs only while
// there are waits.
type Poller struct {
	source StatusSource
	options

	mu      sync.Mutex
	waiters []*waiter
	running bool
	// cancelPoll cancels the current request when the last wait ends.
	cancelPoll context.CancelFunc
	// changed wakes the loop when a wait starts or the last one ends.
	changed chan struct{}
	// notBefore is the earliest time of the next poll: after a slow response the
	// pause is at least as long as the response took.
	notBefore time.Time

	// querySingly are ids that make a batch request fail; only the loop uses it.
	querySingly map[string]bool
}

// NewPoller returns a poller.
func NewPoller(source StatusSource, opts ...Option) *Poller {
	p := &Poller{source: source, options: defaults(), changed: make(chan struct{}, 1), querySingly: map[string]bool{}}
	for _, opt := range opts {
		opt(&p.options)
	}
	return p
}

// WaitRunning waits until the serving runs as specified. Otherwise the error is
// a *NotRunningError.
func (p *Poller) WaitRunning(ctx context.Context, target Target) (Result, error) {
	w := newWaiter(ctx, target, p.options)
	delay := p.first
	if w.fastPolling = w.awaitsRolloutStart(); w.fastPolling {
		delay = p.startPollMin
	}
	err := p.wait(ctx, w, delay)
	switch {
	case errors.Is(err, errPaused):
		return Result{Status: w.last, Paused: w.observation.Paused}, nil
	case err != nil:
		return Result{}, w.notRunning(ctx, err)
	}
	return Result{Status: w.last, StartNotObserved: w.history.StartNotObserved(target)}, nil
}

// WaitDeleted waits until the serving is no longer listed. Otherwise the error is a
// *NotDeletedError.
func (p *Poller) WaitDeleted(ctx context.Context, servingID string) error {
	w := newWaiter(ctx, Target{ServingID: servingID}, p.options)
	w.forDeletion = true
	if err := p.wait(ctx, w, p.options.gone); err != nil {
		return w.notDeleted(ctx, err)
	}
	return nil
}

// errContext is the error of a wait that the caller's context ended.
var errContext = errors.New("the wait was ended")

func (p *Poller) wait(ctx context.Context, w *waiter, delay time.Duration) error {
	if ctx.Err() != nil {
		return errContext
	}
	w.pause = delay
	w.due = time.Now().Add(p.jittered(delay))
	p.add(w)
	defer p.remove(w)
	defer w.startObserving(ctx)()
	heartbeat := time.NewTimer(p.heartbeat)
	defer heartbeat.Stop()
	for {
		select {
		case <-w.done:
			return w.err
		case <-ctx.Done():
			return errContext
		case <-heartbeat.C:
			heartbeat.Reset(w.logHeartbeat())
		}
	}
}

func (p *Poller) add(w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiters = append(p.waiters, w)
	if !p.running {
		p.running = true
		go p.loop()
		return
	}
	p.wake()
}

func (p *Poller) remove(w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiters = slices.DeleteFunc(p.waiters, func(other *waiter) bool { return other == w })
	if len(p.waiters) == 0 {
		if p.cancelPoll != nil {
			p.cancelPoll()
		}
		p.wake()
	}
}

// wake makes the loop check the waiters again. The lock is held.
func (p *Poller) wake() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// loop polls whenever a wait is due, and ends when there are no waits.
func (p *Poller) loop() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		p.mu.Lock()
		if len(p.waiters) == 0 {
			p.running = false
			p.mu.Unlock()
			return
		}
		delay := time.Until(p.nextPoll())
		if delay > 0 {
			p.mu.Unlock()
			timer.Reset(delay)
			select {
			case <-timer.C:
			case <-p.changed:
			}
			continue
		}
		waiters := p.waitersToPoll(time.Now())
		// The request belongs to all waiters: none of them may cancel it.
		ctx, cancel := context.WithCancel(context.WithoutCancel(waiters[0].ctx))
		ctx = httpapi.WithoutRestartRetries(httpapi.WithMaskedTextsOf(ctx, contextsOf(waiters[1:])))
		if slices.ContainsFunc(waiters, (*waiter).awaitsRolloutStart) {
			ctx = httpapi.WithShortRetryDelay(ctx) // a rollout can start as soon as the server is reachable
		}
		p.cancelPoll = cancel
		p.mu.Unlock()

		started := time.Now()
		p.poll(ctx, waiters)
		p.schedule(waiters, started)
		cancel()
	}
}

func contextsOf(waiters []*waiter) []context.Context {
	contexts := make([]context.Context, len(waiters))
	for i, w := range waiters {
		contexts[i] = w.ctx
	}
	return contexts
}

// waitersToPoll returns the waits to poll now: all of them, since one request is
// enough for all. If only waits with fast polling are due, the other servings
// are not queried as often. The lock is held.
func (p *Poller) waitersToPoll(now time.Time) []*waiter {
	if slices.ContainsFunc(p.waiters, func(w *waiter) bool { return !w.fastPolling && !w.due.After(now) }) {
		return slices.Clone(p.waiters)
	}
	var due []*waiter
	for _, w := range p.waiters {
		if !w.due.Add(-w.pause / 2).After(now) {
			due = append(due, w)
		}
	}
	return due
}

// nextPoll returns when the first wait is due. The lock is held.
func (p *Poller) nextPoll() time.Time {
	next := p.waiters[0].due
	for _, w := range p.waiters[1:] {
		if w.due.Before(next) {
			next = w.due
		}
	}
	if next.Before(p.notBefore) {
		return p.notBefore
	}
	return next
}

// schedule sets the next due time of the waiters of a poll.
func (p *Poller) schedule(waiters []*waiter, started time.Time) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancelPoll = nil
	p.notBefore = now.Add(min(now.Sub(started), p.max))
	for _, w := range waiters {
		w.pause, w.fastPolling = w.interval(now)
		w.due = now.Add(p.jittered(w.pause))
	}
}

func (p *Poller) jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 + p.jitter*(2*rand.Float64()-1)))
}
