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

// StatusSource answers the status of many servings in one request.
type StatusSource interface {
	BatchQueryServingStatus(ctx context.Context, ids []string) ([]kuscia.ServingStatus, error)
}

// Poller looks after all waits of a process: each look is one request for all
// servings that are waited for, however many, and one request at a time. It
// runs only while somebody waits.
type Poller struct {
	source StatusSource
	options

	mu      sync.Mutex
	waiters []*waiter
	running bool
	// stopLook ends the request under way, when nobody waits any more.
	stopLook context.CancelFunc
	// changed wakes the loop when a wait begins or the last one ends.
	changed chan struct{}
	// notBefore is the earliest next look: a server that answers slowly is
	// left alone for as long as it took.
	notBefore time.Time

	// alone are ids that make a request fail for everybody; only the loop uses
	// it.
	alone map[string]bool
}

// NewPoller makes a poller.
func NewPoller(source StatusSource, opts ...Option) *Poller {
	p := &Poller{source: source, options: defaults(), changed: make(chan struct{}, 1), alone: map[string]bool{}}
	for _, opt := range opts {
		opt(&p.options)
	}
	return p
}

// WaitRunning waits until the serving runs as asked and returns its status.
// Otherwise the error is a *NotRunningError.
func (p *Poller) WaitRunning(ctx context.Context, target Target) (*kuscia.ServingStatusDetail, error) {
	w := newWaiter(ctx, target, p.options)
	if err := p.wait(ctx, w, p.first); err != nil {
		return nil, w.notRunning(ctx, err)
	}
	return w.last, nil
}

// WaitGone waits until the serving is no longer listed. Otherwise the error is
// a *StillThereError.
func (p *Poller) WaitGone(ctx context.Context, servingID string) error {
	w := newWaiter(ctx, Target{ServingID: servingID}, p.options)
	w.gone = true
	if err := p.wait(ctx, w, p.options.gone); err != nil {
		return w.stillThere(ctx, err)
	}
	return nil
}

// errContext says that the caller's context ended the wait.
var errContext = errors.New("the wait was ended")

func (p *Poller) wait(ctx context.Context, w *waiter, delay time.Duration) error {
	if ctx.Err() != nil {
		return errContext
	}
	w.due = time.Now().Add(p.jittered(delay))
	p.add(w)
	defer p.remove(w)
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return errContext
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
		if p.stopLook != nil {
			p.stopLook()
		}
		p.wake()
	}
}

// wake makes the loop look at the waiters again. The lock is held.
func (p *Poller) wake() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// loop looks whenever a wait is due, and ends when there is none.
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
		delay := time.Until(p.nextLook())
		if delay > 0 {
			p.mu.Unlock()
			timer.Reset(delay)
			select {
			case <-timer.C:
			case <-p.changed:
			}
			continue
		}
		waiters := slices.Clone(p.waiters)
		// The request belongs to all waiters: none of them may end it alone.
		ctx, cancel := context.WithCancel(context.WithoutCancel(waiters[0].ctx))
		ctx = httpapi.KeepSecretsOf(ctx, contextsOf(waiters[1:]))
		p.stopLook = cancel
		p.mu.Unlock()

		started := time.Now()
		p.look(ctx, waiters)
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

// nextLook is when the first wait is due. The lock is held.
func (p *Poller) nextLook() time.Time {
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

// schedule sets when the waiters of a look are due again.
func (p *Poller) schedule(waiters []*waiter, started time.Time) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopLook = nil
	p.notBefore = now.Add(min(now.Sub(started), p.max))
	for _, w := range waiters {
		w.due = now.Add(p.jittered(w.interval(now)))
	}
}

func (p *Poller) jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 + p.jitter*(2*rand.Float64()-1)))
}

// look asks for all waiters and tells each about its own serving.
func (p *Poller) look(ctx context.Context, waiters []*waiter) {
	byID := make(map[string][]*waiter, len(waiters))
	var ids, alone []string
	for _, w := range waiters {
		id := w.target.ServingID
		if byID[id] == nil {
			if p.alone[id] {
				alone = append(alone, id)
			} else {
				ids = append(ids, id)
			}
		}
		byID[id] = append(byID[id], w)
	}
	for id := range p.alone {
		if byID[id] == nil {
			delete(p.alone, id)
		}
	}
	tell := func(id string, at time.Time, a answer) {
		for _, w := range byID[id] {
			w.observe(at, a)
		}
	}
	for chunk := range slices.Chunk(ids, p.chunk) {
		p.askChunk(ctx, chunk, tell)
	}
	for _, id := range alone {
		p.askAlone(ctx, id, tell)
	}
}

// answer is what a look found out about one serving.
type answer struct {
	// listed is false when the server does not know the id.
	listed bool
	status *kuscia.ServingStatusDetail
	err    error
}

type tellFunc func(id string, at time.Time, a answer)

// askChunk asks many ids at once. When that fails because of one of them, each
// is asked alone: servers up to v0.10 fail the whole request for an unknown id.
func (p *Poller) askChunk(ctx context.Context, ids []string, tell tellFunc) {
	at := time.Now()
	statuses, err := p.source.BatchQueryServingStatus(ctx, ids)
	if err == nil {
		found := make(map[string]answer, len(statuses))
		for _, status := range statuses {
			found[status.ServingID] = answer{listed: true, status: status.Status}
		}
		for _, id := range ids {
			tell(id, at, found[id])
		}
		return
	}
	if len(ids) == 1 {
		p.failedAlone(ctx, ids[0], at, err, tell)
		return
	}
	if !aboutOne(err) || ctx.Err() != nil {
		for _, id := range ids {
			tell(id, at, answer{err: err})
		}
		return
	}
	for _, id := range ids {
		p.askAlone(ctx, id, tell)
	}
}

func (p *Poller) askAlone(ctx context.Context, id string, tell tellFunc) {
	if ctx.Err() != nil {
		return
	}
	at := time.Now()
	statuses, err := p.source.BatchQueryServingStatus(ctx, []string{id})
	if err != nil {
		p.failedAlone(ctx, id, at, err, tell)
		return
	}
	delete(p.alone, id)
	var a answer
	for _, status := range statuses {
		if status.ServingID == id {
			a = answer{listed: true, status: status.Status}
		}
	}
	tell(id, at, a)
}

func (p *Poller) failedAlone(ctx context.Context, id string, at time.Time, err error, tell tellFunc) {
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, kuscia.ErrNotFound):
		delete(p.alone, id)
		tell(id, at, answer{})
		return
	case aboutOne(err):
		p.alone[id] = true
	}
	tell(id, at, answer{err: err})
}

// aboutOne reports whether an error can come from a single id of the request.
func aboutOne(err error) bool {
	for _, all := range []error{
		kuscia.ErrUnavailable, kuscia.ErrUnauthorized, kuscia.ErrUnsupported,
		kuscia.ErrTLS, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, all) {
			return false
		}
	}
	return true
}

// endsWait reports whether asking again cannot help.
func endsWait(err error) bool {
	return errors.Is(err, kuscia.ErrUnauthorized) || errors.Is(err, kuscia.ErrInvalid) || errors.Is(err, kuscia.ErrUnsupported)
}
