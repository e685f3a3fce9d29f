package server

import (
	"context"
	"net/http"
	"time"
)

// Caller is the client of a request: the master (a client with the token), or a
// domain on the internal port.
type Caller struct {
	Domain string // "" for the master
	// Stale is a Snapshot that replaces the current state in responses.
	Stale map[string]any
	// Lag is the time in which the controllers ignore what the request changes.
	Lag time.Duration
}

type callerKey struct{}

// WithCaller sets the caller of a request for the handlers.
func WithCaller(ctx context.Context, from Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, from)
}

func callerOf(ctx context.Context) Caller {
	from, _ := ctx.Value(callerKey{}).(Caller)
	return from
}

// requireToken refuses requests without the right token. The response has no
// body and no content type, and is sent before any routing.
func requireToken(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Token") != token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
