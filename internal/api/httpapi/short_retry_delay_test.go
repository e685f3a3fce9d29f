package httpapi

import (
	"net/http"
	"testing"
	"time"
)

// TestRetrySoon: no wait is longer than half a second unless the server
// requests it.
func TestRetrySoon(t *testing.T) {
	longest := func(soon bool) (longest time.Duration) {
		k := &call{Call: &Call{}, client: &Client{config: Config{MaxRetries: 10}, Backoff: DefaultBackoff}, retrySoon: soon}
		for k.decide(t.Context(), Classification{Retry: Transient}, nil) {
			longest = max(longest, k.wait)
		}
		return longest
	}
	if got := longest(retriesSoon(WithShortRetryDelay(t.Context()))); got > soon {
		t.Errorf("a wait of %s with WithShortRetryDelay", got)
	}
	if got := longest(retriesSoon(t.Context())); got <= soon {
		t.Errorf("without WithShortRetryDelay no wait is longer than %s", got)
	}
	k := &call{Call: &Call{}, client: &Client{config: Config{MaxRetries: 10}, Backoff: DefaultBackoff}, retrySoon: true}
	busy := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"7"}}}
	if k.decide(t.Context(), Classification{Retry: Transient}, busy); k.wait < 7*time.Second {
		t.Errorf("wait of %s, the server requested 7 s", k.wait)
	}
}
