package httpapi

import (
	"context"
	"time"
)

type retrySoonKey struct{}

// soon is the longest wait of WithShortRetryDelay.
const soon = 500 * time.Millisecond

// WithShortRetryDelay returns a context whose calls repeat transient failures after at
// most half a second, unless the server requests a longer wait. It is for
// callers that poll for a state that lasts only a short time.
func WithShortRetryDelay(ctx context.Context) context.Context {
	return context.WithValue(ctx, retrySoonKey{}, true)
}

func retriesSoon(ctx context.Context) bool {
	soon, _ := ctx.Value(retrySoonKey{}).(bool)
	return soon
}
