package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// restartPause is the longest wait between two attempts while a server restarts.
const restartPause = 3 * time.Second

// settle is how long a server that responds again may still refuse what it serves: an API server
// has its kinds, users and permissions some seconds after its port.
const settle = 15 * time.Second

// restart recognizes that a server restarts: it has responded before, and now
// refuses connections, or a gateway answers for it. All calls of a client share it, so that a
// server that stays down is awaited once and not by one call after another.
type restart struct {
	mu        sync.Mutex
	responded bool
	// since is when the outage began, zero if there is none, and back when the last one ended.
	since, back time.Time
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

// recordResponse records a response of the server itself.
func (r *restart) recordResponse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.since.IsZero() {
		r.back = time.Now()
	}
	r.responded, r.since = true, time.Time{}
}

// recordOutage records a failure of a server that is down, and returns whether it has
// responded before, or is known to have, and has been down for less than the limit.
// first is set for the first failure.
func (r *restart) recordOutage(limit time.Duration, known bool) (restarts, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first = r.since.IsZero(); first {
		r.since = time.Now()
	}
	return (r.responded || known) && time.Since(r.since) < limit, first
}

// isSettling reports whether the server has responded again only shortly.
func (r *restart) isSettling() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.back.IsZero() && time.Since(r.back) < settle
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

// isDown reports whether a failure is that of a server that is down: it accepts no connections, or
// a gateway answers for it. An answer of the server itself may be about one operation.
func (k *call) isDown(found Classification, response *http.Response) bool {
	if response == nil {
		return found.Cause == CauseConnectionRefused || found.Cause == CauseTimeout && !k.sent.Load()
	}
	switch response.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return found.Retry == Transient && found.Code == "" && found.Details == nil
	}
	return false
}

// isStarting reports whether a server that starts may fail so, although it would not later.
func isStarting(found Classification) bool {
	is := func(kind error) bool { return slices.Contains(found.Kinds, kind) }
	return found.Retry == Transient || found.Cause == CauseTLSHandshake || is(apierror.ErrUnsupported) || is(apierror.ErrUnauthorized) && found.Cause != CauseCredentials
}

// serverRestarts reports whether a failure is repeated because the server
// restarts, and logs it once.
func (k *call) serverRestarts(ctx context.Context, found Classification, response *http.Response) bool {
	down := k.isDown(found, response)
	if !down && response != nil {
		k.client.restart.recordResponse()
	}
	if !k.retryRestart || k.client.config.MaxRetries == 0 {
		return false
	}
	limit := k.client.Backoff.RestartTimeout
	if !down {
		return isStarting(found) && k.client.restart.isSettling() && k.restarts.next(limit+settle)
	}
	restarts, first := k.client.restart.recordOutage(limit, response == nil && k.changesObject())
	if restarts && first {
		name := k.client.config.Name
		tflog.SubsystemWarn(ctx, k.client.subsystem(), name+" is not available any more; if it restarts, it is awaited", map[string]any{
			"endpoint": k.client.endpoint.Host, "for_at_most": limit.String(),
		})
	}
	return restarts && k.restarts.next(limit)
}

// changesObject reports whether the call changes or deletes an object. The server has responded
// to the plan of the same run then: Terraform applies in another process than it plans.
func (k *call) changesObject() bool {
	return k.Writes && (!k.Creates || k.Method == http.MethodPatch || k.Method == http.MethodPut)
}
