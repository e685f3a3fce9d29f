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

// Poller polls for all waits of a process, and runs only while there are waits. A poll
// is a single request for all servings that are due, and there is one at a time. Only
// those whose rollout has not been observed to start, shortly after the update, are
// queried in small groups, some at a time: a start is visible for about a second.
type Poller struct {
	source StatusSource
	options

	mu      sync.Mutex
	waiters []*waiter
	running bool
	// polling is set during a poll, and looks counts the requests for starts.
	polling bool
	looks   int
	// alive ends when the last wait does; end ends it.
	alive context.Context
	end   context.CancelFunc
	// changed wakes the loop when a wait starts, the last one ends, or a request is
	// answered.
	changed chan struct{}
	// notBefore is the earliest time of the next poll: after a slow response the
	// pause is at least as long as the response took.
	notBefore time.Time

	startSlots startSlots
	// querySingly are ids that make a batch request fail.
	querySingly map[string]bool
}

// NewPoller returns a poller.
func NewPoller(source StatusSource, opts ...Option) *Poller {
	p := &Poller{source: source, options: defaults(), changed: make(chan struct{}, 1), querySingly: map[string]bool{}}
	for _, opt := range opts {
		opt(&p.options)
	}
	p.startSlots.limit = p.minStarts
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
	if len(p.waiters) == 0 {
		p.alive, p.end = context.WithCancel(context.Background())
	}
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
		p.end()
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

// loop sends requests whenever a wait is due, and ends when there are no waits and all
// requests have ended.
func (p *Poller) loop() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		p.mu.Lock()
		if len(p.waiters) == 0 && !p.polling && p.looks == 0 {
			p.running = false
			p.mu.Unlock()
			return
		}
		timer.Reset(max(0, time.Until(p.sendDue(time.Now()))))
		p.mu.Unlock()
		select {
		case <-timer.C:
		case <-p.changed:
		}
	}
}

// sendDue sends the requests that are due, and returns when the next one is. The lock
// is held.
func (p *Poller) sendDue(now time.Time) (next time.Time) {
	next = now.Add(time.Hour)
	var starting, others []*waiter
	for _, w := range p.waiters {
		switch {
		case w.queried:
		case w.isStarting(now):
			starting = append(starting, w)
		default:
			others = append(others, w)
		}
	}
	if p.looks < p.maxLooks && len(starting) > 0 {
		due := dueAt(starting, now)
		// All servings that are due are shared among the requests that may be sent.
		for size := max(1, (len(due)+p.maxLooks-1)/p.maxLooks); len(due) > 0 && p.looks < p.maxLooks; {
			group := due[:min(size, len(due))]
			due = due[len(group):]
			p.looks++
			p.send(group, func() {
				p.looks--
				p.startSlots.adjust(time.Since(now), p.options)
			})
		}
		if p.looks < p.maxLooks {
			next = earliest(starting, next)
		}
	}
	if p.polling || len(others) == 0 {
		return next
	}
	at := earliest(others, now.Add(time.Hour))
	if at.Before(p.notBefore) {
		at = p.notBefore
	}
	if at.After(now) {
		return earlier(next, at)
	}
	p.polling = true
	p.send(waitersToPoll(others, now), func() {
		p.polling = false
		took := min(time.Since(now), p.max)
		if slices.ContainsFunc(p.waiters, func(w *waiter) bool { return w.isStarting(now) }) {
			took = min(restraint*took, p.max) // a server may answer one request at a time
		}
		p.notBefore = time.Now().Add(took)
	})
	return next
}

// restraint is how many times longer than a response the pause after it is while starts
// are to be observed.
const restraint = 3

// send queries the servings of waiters, and calls ended with the lock held. The lock is
// held.
func (p *Poller) send(waiters []*waiter, ended func()) {
	for _, w := range waiters {
		w.queried = true
	}
	// The request belongs to all waiters: none of them may cancel it.
	ctx, cancel := context.WithCancel(context.WithoutCancel(waiters[0].ctx))
	stop := context.AfterFunc(p.alive, cancel)
	ctx = httpapi.WithoutRestartRetries(httpapi.WithMaskedTextsOf(ctx, contextsOf(waiters[1:])))
	if slices.ContainsFunc(waiters, func(w *waiter) bool { return w.fastPolling }) {
		ctx = httpapi.WithShortRetryDelay(ctx) // a rollout can start as soon as the server is reachable
	}
	go func() {
		defer cancel()
		defer stop()
		p.poll(ctx, waiters)
		p.mu.Lock()
		defer p.mu.Unlock()
		now := time.Now()
		for _, w := range waiters {
			w.queried = false
			w.pause, w.fastPolling = w.interval(now)
			w.due = now.Add(p.jittered(w.pause))
			if !w.fastPolling || now.Sub(w.began) >= p.startHold {
				w.target.Slot.Release()
			}
		}
		ended()
		p.wake()
	}()
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
// are not queried as often.
func waitersToPoll(waiters []*waiter, now time.Time) []*waiter {
	if slices.ContainsFunc(waiters, func(w *waiter) bool { return !w.fastPolling && !w.due.After(now) }) {
		return waiters
	}
	var due []*waiter
	for _, w := range waiters {
		if !w.due.Add(-w.pause / 2).After(now) {
			due = append(due, w)
		}
	}
	return due
}

// dueAt returns the waiters that are due, the one that is due for longest first.
func dueAt(waiters []*waiter, now time.Time) []*waiter {
	due := slices.DeleteFunc(slices.Clone(waiters), func(w *waiter) bool { return w.due.After(now) })
	slices.SortStableFunc(due, func(a, b *waiter) int { return a.due.Compare(b.due) })
	return due
}

// earliest returns when the first of the waiters is due that are not being queried, or
// other if that is earlier.
func earliest(waiters []*waiter, other time.Time) time.Time {
	for _, w := range waiters {
		if !w.queried {
			other = earlier(other, w.due)
		}
	}
	return other
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func (p *Poller) jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 + p.jitter*(2*rand.Float64()-1)))
}
