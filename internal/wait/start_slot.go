package wait

import (
	"context"
	"sync"
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

// AcquireStart waits for a slot; nil if the context ends before.
func (p *Poller) AcquireStart(ctx context.Context) *StartSlot {
	select {
	case p.startSlots <- struct{}{}:
		return &StartSlot{release: func() { <-p.startSlots }}
	case <-ctx.Done():
		return nil
	}
}
