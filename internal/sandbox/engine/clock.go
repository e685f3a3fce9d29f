package engine

import (
	"sync"
	"time"
)

// clock is the time of the sandbox: the machine's, or a frozen one, advanced by
// Advance.
type clock struct {
	mu     sync.Mutex
	frozen *time.Time
	offset time.Duration
}

func newClock(frozen bool) *clock {
	c := &clock{}
	if frozen {
		now := time.Now()
		c.frozen = &now
	}
	return c
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen != nil {
		return c.frozen.Add(c.offset)
	}
	return time.Now().Add(c.offset)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}
