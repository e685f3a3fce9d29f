package servingstatus

import (
	"context"
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

// Poller is the source of statuses for all waits of a process, and runs only while there
// are waits. A poll is a single request for all servings that are due, and there is one at a
// time. Only those whose rollout has not been observed to start, shortly after the update,
// are queried in small groups, some at a time: a start is visible for about a second.
type Poller struct {
	source StatusSource
	options

	mu            sync.Mutex
	subscriptions []*Subscription
	running       bool
	// polling is set during a poll, and looks counts the requests for starts.
	polling bool
	looks   int
	// alive ends when the last subscription does; end ends it.
	alive context.Context
	end   context.CancelFunc
	// changed wakes the loop when a status is asked for, the last subscription ends, or a
	// request is answered.
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

// wake makes the loop check the subscriptions again. The lock is held.
func (p *Poller) wake() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// loop sends requests whenever a status is due, and ends when there are no subscriptions
// and all requests have ended.
func (p *Poller) loop() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		p.mu.Lock()
		if len(p.subscriptions) == 0 && !p.polling && p.looks == 0 {
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
	var starting, others []*Subscription
	for _, s := range p.subscriptions {
		switch {
		case !s.asked:
		case s.isStarting(now):
			starting = append(starting, s)
		default:
			others = append(others, s)
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
	p.send(toPoll(others, now), func() {
		p.polling = false
		took := min(time.Since(now), p.max)
		if slices.ContainsFunc(p.subscriptions, func(s *Subscription) bool { return s.isStarting(now) }) {
			took = min(restraint*took, p.max) // a server may answer one request at a time
		}
		p.notBefore = time.Now().Add(took)
	})
	return next
}

// restraint is how many times longer than a response the pause after it is while starts
// are to be observed.
const restraint = 3

// send queries the servings of subscriptions, and calls ended with the lock held. The lock
// is held.
func (p *Poller) send(due []*Subscription, ended func()) {
	for _, s := range due {
		s.asked = false
	}
	// The request belongs to all of them: none may cancel it.
	ctx, cancel := context.WithCancel(context.WithoutCancel(due[0].ctx))
	stop := context.AfterFunc(p.alive, cancel)
	ctx = httpapi.WithoutRestartRetries(httpapi.WithMaskedTextsOf(ctx, contextsOf(due[1:])))
	if slices.ContainsFunc(due, func(s *Subscription) bool { return s.fast }) {
		ctx = httpapi.WithShortRetryDelay(ctx) // a rollout can start as soon as the server is reachable
	}
	go func() {
		defer cancel()
		defer stop()
		p.poll(ctx, due)
		p.mu.Lock()
		defer p.mu.Unlock()
		ended()
		p.wake()
	}()
}

func contextsOf(subscriptions []*Subscription) []context.Context {
	contexts := make([]context.Context, len(subscriptions))
	for i, s := range subscriptions {
		contexts[i] = s.ctx
	}
	return contexts
}

// toPoll returns what to poll now: all that ask, since one request is enough for all. If
// only fast ones are due, the other servings are not queried as often.
func toPoll(asking []*Subscription, now time.Time) []*Subscription {
	if slices.ContainsFunc(asking, func(s *Subscription) bool { return !s.fast && !s.due.After(now) }) {
		return asking
	}
	var due []*Subscription
	for _, s := range asking {
		if !s.due.Add(-s.pause / 2).After(now) {
			due = append(due, s)
		}
	}
	return due
}

// dueAt returns those that are due, the one that is due for longest first.
func dueAt(asking []*Subscription, now time.Time) []*Subscription {
	due := slices.DeleteFunc(slices.Clone(asking), func(s *Subscription) bool { return s.due.After(now) })
	slices.SortStableFunc(due, func(a, b *Subscription) int { return a.due.Compare(b.due) })
	return due
}

// earliest returns when the first of them is due that is not being queried, or other if
// that is earlier.
func earliest(subscriptions []*Subscription, other time.Time) time.Time {
	for _, s := range subscriptions {
		if s.asked {
			other = earlier(other, s.due)
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
