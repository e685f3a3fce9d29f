package httpapi

import (
	"context"
	"time"
)

type retrySoonKey struct{}

// soon is the longest pause of RetrySoon.
const soon = 500 * time.Millisecond

// RetrySoon returns a context whose calls repeat what failed for a moment after
// half a second at most, unless the server asks for more. It is for a caller
// that would miss what can only be seen for a short time.
func RetrySoon(ctx context.Context) context.Context {
	return context.WithValue(ctx, retrySoonKey{}, true)
}

func retriesSoon(ctx context.Context) bool {
	soon, _ := ctx.Value(retrySoonKey{}).(bool)
	return soon
}
