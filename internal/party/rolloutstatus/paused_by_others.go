package rolloutstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// pausedTimeout is how long a Deployment may be paused without a Rollout, for whoever has
// paused it to resume it, until a wait for it ends.
const pausedTimeout = time.Minute

// isPausedByOthers reports whether the Deployment of a party that is not done has been paused
// without a Rollout for pausedTimeout.
func (r *Reader) isPausedByOthers(p *Party) bool {
	if p.Done || !p.Paused {
		delete(r.paused, p.Key)
		return false
	}
	if r.paused == nil {
		r.paused = map[party.Key]time.Time{}
	}
	if _, again := r.paused[p.Key]; !again {
		r.paused[p.Key] = time.Now()
	}
	return time.Since(r.paused[p.Key]) >= pausedTimeout
}
