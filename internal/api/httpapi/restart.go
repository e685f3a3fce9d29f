package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
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

// HasResponded reports whether the server has responded, or is expected to.
func (c *Client) HasResponded() bool {
	c.restart.mu.Lock()
	defer c.restart.mu.Unlock()
	return c.restart.responded
}

// ExpectResponses is for a server that has responded to another process of the same run, such as
// the plan: if it refuses connections, it restarts.
func (c *Client) ExpectResponses() { c.restart.recordResponse() }

// Fingerprint identifies the server without its address.
func (c *Client) Fingerprint() string {
	sum := sha256.Sum256([]byte(c.config.Name + " " + c.Endpoint()))
	return hex.EncodeToString(sum[:8])
}

// recordResponse records any response.
func (r *restart) recordResponse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.responded, r.since = true, time.Time{}
}

// recordRefusal records a refused connection, and returns whether the server has
// responded before, or is known to have, and has refused connections for less than the limit.
// first is set for the first refusal.
func (r *restart) recordRefusal(limit time.Duration, known bool) (restarts, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first = r.since.IsZero(); first {
		r.since = time.Now()
	}
	return (r.responded || known) && time.Since(r.since) < limit, first
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
// restarts, and logs it once.
func (k *call) serverRestarts(ctx context.Context, found Classification) bool {
	refused := found.Cause == CauseConnectionRefused || found.Cause == CauseTimeout && !k.sent.Load()
	if !k.retryRestart || !refused || k.client.config.MaxRetries == 0 {
		return false
	}
	limit := k.client.Backoff.RestartTimeout
	restarts, first := k.client.restart.recordRefusal(limit, k.changesObject())
	if restarts && first {
		name := k.client.config.Name
		tflog.SubsystemWarn(ctx, k.client.subsystem(), name+" accepts no connections any more; if it restarts, it is awaited", map[string]any{
			"endpoint": k.client.endpoint.Host, "for_at_most": limit.String(),
		})
	}
	return restarts
}

// changesObject reports whether the call changes or deletes an object. The server has responded
// to the plan of the same run then: Terraform applies in another process than it plans.
func (k *call) changesObject() bool {
	return k.Writes && (!k.Creates || k.Method == http.MethodPatch || k.Method == http.MethodPut)
}
