package sandbox

import (
	"context"
	"time"
)

type lagKey struct{}

// lagOf is the lag that a fault put into the request.
func lagOf(ctx context.Context) time.Duration {
	lag, _ := ctx.Value(lagKey{}).(time.Duration)
	return lag
}

// leaveAlone lets the controllers lag behind a request that changed a serving.
func (w *world) leaveAlone(sv *serving, from caller) {
	if until := w.now.Add(max(w.timing.Lag, from.lag)); until.After(sv.lagUntil) {
		sv.lagUntil = until
	}
}

// lagging reports whether the controllers leave a serving alone.
func (w *world) lagging(sv *serving) bool { return sv.lagUntil.After(w.now) }
