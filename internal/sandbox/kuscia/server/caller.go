package server

import (
	"context"
	"net/http"
	"time"
)

// Caller is who sends a request: the master (whoever holds the token), or a
// domain on the internal port.
type Caller struct {
	Domain string // "" for the master
	// Stale is a Snapshot to answer from instead of the present.
	Stale map[string]any
	// Lag is how long the controllers leave what the request changes alone.
	Lag time.Duration
}

type callerKey struct{}

// WithCaller lets the handlers take a request for that of the caller.
func WithCaller(ctx context.Context, from Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, from)
}

func callerOf(ctx context.Context) Caller {
	from, _ := ctx.Value(callerKey{}).(Caller)
	return from
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
