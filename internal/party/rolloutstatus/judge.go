package rolloutstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// pausedTimeout is how long a Deployment may be paused without a Rollout, for whoever has
// paused it to resume it, until a wait for it ends.
const pausedTimeout = time.Minute

// judge sets the verdict about a party, with the history of earlier reads.
func (r *Reader) judge(p *Party) {
	if r.histories == nil {
		r.histories = map[party.Key]judge.History{}
	}
	r.histories[p.Key] = p.Judge(r.histories[p.Key].At(time.Now(), r.began, r.began, judge.Times{Pause: pausedTimeout}))
}
