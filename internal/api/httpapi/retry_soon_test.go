package httpapi

import (
	"net/http"
	"testing"
	"time"
)

// TestRetrySoon: the pauses do not grow beyond half a second, but for a server
// that asks for more.
func TestRetrySoon(t *testing.T) {
	longest := func(soon bool) (longest time.Duration) {
		k := &call{Call: &Call{}, client: &Client{config: Config{MaxRetries: 10}, Backoff: DefaultBackoff}, retrySoon: soon}
		for k.decide(Verdict{Retry: Transient}, nil) {
			longest = max(longest, k.wait)
		}
		return longest
	}
	if got := longest(retriesSoon(RetrySoon(t.Context()))); got > soon {
		t.Errorf("a pause of %s", got)
	}
	if got := longest(retriesSoon(t.Context())); got <= soon {
		t.Errorf("no pause longer than %s without it", got)
	}
	k := &call{Call: &Call{}, client: &Client{config: Config{MaxRetries: 10}, Backoff: DefaultBackoff}, retrySoon: true}
	busy := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"7"}}}
	if k.decide(Verdict{Retry: Transient}, busy); k.wait < 7*time.Second {
		t.Errorf("%s, the server asks for 7 s", k.wait)
	}
}
