package fastpath

import (
	"context"
	"sync/atomic"
	"time"
)

// held is a request's context that can be let go of. The framework keeps the
// context of every request until the provider ends, to cancel it when the
// provider is stopped, and with it the loggers and buffers of the request: tens
// of KB each. Of a held context that was released only this shell remains.
type held struct {
	done     <-chan struct{}
	deadline time.Time
	bounded  bool
	behind   atomic.Pointer[context.Context]
}

func hold(ctx context.Context) *held {
	h := &held{done: ctx.Done()}
	h.deadline, h.bounded = ctx.Deadline()
	h.behind.Store(&ctx)
	return h
}

func (h *held) release() { h.behind.Store(nil) }

// Deadline implements context.Context.
func (h *held) Deadline() (time.Time, bool) { return h.deadline, h.bounded }

// Done implements context.Context. The channel outlives the release, so that
// who still works learns of a cancellation.
func (h *held) Done() <-chan struct{} { return h.done }

// Err implements context.Context.
func (h *held) Err() error {
	if ctx := h.behind.Load(); ctx != nil {
		return (*ctx).Err()
	}
	select {
	case <-h.done:
		return context.Canceled
	default:
		return nil
	}
}

// Value implements context.Context. After the release there are no values.
func (h *held) Value(key any) any {
	if ctx := h.behind.Load(); ctx != nil {
		return (*ctx).Value(key)
	}
	return nil
}
