package serving

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// delayReconcile delays the controllers after a request that changed a serving.
func (w *Servings) delayReconcile(sv *serving, from server.Caller) {
	if until := w.Now().Add(max(w.Timing.Lag, from.Lag)); until.After(sv.lagUntil) {
		sv.lagUntil = until
	}
}

// lagging reports whether the controllers ignore a serving.
func (w *Servings) lagging(sv *serving) bool { return sv.lagUntil.After(w.Now()) }
