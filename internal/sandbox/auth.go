package sandbox

import (
	"net/http"
	"time"
)

// caller is who sends a request: the master (whoever holds the token), or a
// domain on the internal port.
type caller struct {
	domain string // "" for the master
	// stale holds the statuses to answer with instead of the present ones;
	// only set by the stale status fault.
	stale map[string]servingStatus
	// lag is how long the controllers leave what the request changes alone;
	// only set by the lag fault.
	lag time.Duration
}

// takesPart reports whether the caller may see the serving.
func (c caller) takesPart(parties []PartySpec) bool {
	if c.domain == "" {
		return true
	}
	for _, party := range parties {
		if party.DomainID == c.domain {
			return true
		}
	}
	return false
}

// requireToken lets only requests with the right token through. The refusal
// has no body, not even a content type, and comes before any routing.
func requireToken(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Token") != token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
