package fastpath

import (
	"context"
	"sync/atomic"
	"time"
)

// releasableContext wraps the context of a request and drops it on release. The
// framework keeps the context of every request until the provider ends, to
// cancel it when the provider is stopped. Each context keeps the loggers and
// buffers of its request alive, tens of KB. After the release only this wrapper
// is kept.
type releasableContext struct {
	done        <-chan struct{}
	deadline    time.Time
	hasDeadline bool
	inner       atomic.Pointer[context.Context]
}

func newReleasableContext(ctx context.Context) *releasableContext {
	c := &releasableContext{done: ctx.Done()}
	c.deadline, c.hasDeadline = ctx.Deadline()
	c.inner.Store(&ctx)
	return c
}

func (c *releasableContext) release() { c.inner.Store(nil) }

// Deadline implements context.Context.
func (c *releasableContext) Deadline() (time.Time, bool) { return c.deadline, c.hasDeadline }

// Done implements context.Context. The channel stays valid after the release, so
// that goroutines that still run are canceled.
func (c *releasableContext) Done() <-chan struct{} { return c.done }

// Err implements context.Context.
func (c *releasableContext) Err() error {
	if ctx := c.inner.Load(); ctx != nil {
		return (*ctx).Err()
	}
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}

// Value implements context.Context. After the release there are no values.
func (c *releasableContext) Value(key any) any {
	if ctx := c.inner.Load(); ctx != nil {
		return (*ctx).Value(key)
	}
	return nil
}
