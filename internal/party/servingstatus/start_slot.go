package servingstatus

import (
	"context"
	"slices"
	"sync"
	"time"
)

// StartSlot is held by an update from before it is sent until the start of its rollout has
// been observed, or is not likely to be visible soon any more. The number of slots is
// limited, so that each start can be looked for often enough.
type StartSlot struct {
	once    sync.Once
	release func()
}

// Release gives the slot to another update. A slot may be nil, and released twice.
func (s *StartSlot) Release() {
	if s != nil {
		s.once.Do(s.release)
	}
}

// startSlots are the slots of a poller.
type startSlots struct {
	mu          sync.Mutex
	limit, held int
	// waiting are the updates that wait for a slot. A channel is closed when its update
	// has got one.
	waiting []chan struct{}
}

// AcquireStart waits for a slot; nil if the context ends before.
func (p *Poller) AcquireStart(ctx context.Context) *StartSlot {
	s := &p.startSlots
	granted := make(chan struct{})
	s.mu.Lock()
	s.waiting = append(s.waiting, granted)
	s.grant()
	s.mu.Unlock()
	slot := &StartSlot{release: s.release}
	select {
	case <-granted:
		return slot
	case <-ctx.Done():
	}
	s.mu.Lock()
	before := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(c chan struct{}) bool { return c == granted })
	gone := len(s.waiting) < before
	s.mu.Unlock()
	if !gone {
		slot.Release()
	}
	return nil
}

func (s *startSlots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held--
	s.grant()
}

// grant gives free slots to those that wait for longest. The lock is held.
func (s *startSlots) grant() {
	for s.held < s.limit && len(s.waiting) > 0 {
		s.held++
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
	}
}

// adjust changes the number of slots after a request for starts: a server that answers
// quickly can show more of them.
func (s *startSlots) adjust(took time.Duration, o options) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case took > o.slowLook:
		s.limit = max(o.minStarts, s.limit-1)
	case took < o.quickLook && len(s.waiting) > 0:
		s.limit++
	}
	s.grant()
}
