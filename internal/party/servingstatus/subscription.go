package servingstatus

import (
	"context"
	"slices"
	"time"
)

// Subscription gets the statuses of one serving from a Poller, each when it is asked for.
type Subscription struct {
	poller *Poller
	// ctx is that of the wait, for the masks and the log of requests.
	ctx   context.Context
	id    string
	slot  *StartSlot
	began time.Time
	// results has the result of the last ask.
	results chan queryResult
	// asked is set until a request for it is sent, which is due pause after it was asked
	// for. fast is set if its purpose is to observe the start of a rollout. The poller's
	// lock guards them.
	asked bool
	due   time.Time
	pause time.Duration
	fast  bool
}

// subscribe begins a subscription. slot is released when no start is observed any more.
func (p *Poller) subscribe(ctx context.Context, id string, slot *StartSlot) *Subscription {
	s := &Subscription{poller: p, ctx: ctx, id: id, slot: slot, began: time.Now(), results: make(chan queryResult, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.subscriptions) == 0 {
		p.alive, p.end = context.WithCancel(context.Background())
	}
	p.subscriptions = append(p.subscriptions, s)
	return s
}

// ask asks for a status after a pause. The last result must have been received.
func (s *Subscription) ask(pause time.Duration, fast bool) {
	p, now := s.poller, time.Now()
	if !fast || now.Sub(s.began) >= p.startHold {
		s.slot.Release()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.asked, s.due, s.pause, s.fast = true, now.Add(p.jittered(pause)), pause, fast
	if !p.running {
		p.running = true
		go p.loop()
		return
	}
	p.wake()
}

// isNew reports whether nothing has been asked for yet.
func (s *Subscription) isNew() bool { return s.pause == 0 }

// end ends a subscription.
func (s *Subscription) end() {
	s.slot.Release()
	p := s.poller
	p.mu.Lock()
	defer p.mu.Unlock()
	p.subscriptions = slices.DeleteFunc(p.subscriptions, func(other *Subscription) bool { return other == s })
	if len(p.subscriptions) == 0 {
		p.end()
		p.wake()
	}
}

// isStarting reports whether the start of the rollout is likely to be visible soon. The
// poller's lock is held.
func (s *Subscription) isStarting(now time.Time) bool {
	return s.fast && now.Sub(s.began) < s.poller.startLooks
}
