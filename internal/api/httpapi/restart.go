package httpapi

import (
	"context"
	"sync"
	"time"
)

// restartPause is the longest wait between two attempts while a server restarts.
const restartPause = 3 * time.Second

// restart recognizes that a server restarts: it has responded before, and now
// refuses connections. All calls of a client share it, so that a server that
// stays down is awaited once and not by one call after another.
type restart struct {
	mu        sync.Mutex
	responded bool
	since     time.Time
}

// recordResponse records any response.
func (r *restart) recordResponse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.responded, r.since = true, time.Time{}
}

// recordRefusal records a refused connection, and returns whether the server has
// responded before and has refused connections for less than the limit.
func (r *restart) recordRefusal(limit time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since.IsZero() {
		r.since = time.Now()
	}
	return r.responded && time.Since(r.since) < limit
}

type failFastKey struct{}

// WithoutRestartRetries returns a context whose calls are not repeated for as
// long as a server restarts. A wait that measures outages needs it.
func WithoutRestartRetries(ctx context.Context) context.Context {
	return context.WithValue(ctx, failFastKey{}, true)
}

func retriesRestarts(ctx context.Context) bool {
	without, _ := ctx.Value(failFastKey{}).(bool)
	return !without
}

// serverRestarts reports whether a failure is repeated because the server
// restarts.
func (k *call) serverRestarts(found Classification) bool {
	return k.retryRestart && found.Cause == CauseConnectionRefused && k.client.config.MaxRetries > 0 &&
		k.client.restart.recordRefusal(k.client.Backoff.RestartTimeout)
}
