package wait

import (
	"fmt"
	"hash/maphash"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// progressTracker records the statuses of a wait.
type progressTracker struct {
	// lastAt is when a new status was last recorded.
	lastAt time.Time
	seed   maphash.Seed
	seen   map[uint64]bool
}

// maxSeen bounds the number of recorded statuses. A rollout has about three
// times as many different statuses as pods; after this limit nothing counts as
// progress.
const maxSeen = 10_000

// record reports whether a status has a state, reason or replica counts that no
// earlier one had. Alternating between statuses is no progress: a container that
// crashes becomes available again and again, and the reason of an image that
// cannot be pulled changes with every attempt.
func (p *progressTracker) record(status *kuscia.ServingStatusDetail) bool {
	if p.seen == nil {
		p.seed, p.seen = maphash.MakeSeed(), map[uint64]bool{}
	}
	key := maphash.String(p.seed, fingerprint(status))
	if p.seen[key] || len(p.seen) >= maxSeen {
		return false
	}
	p.seen[key] = true
	return true
}

// fingerprint is equal for two statuses with the same content, in any order of
// their parties.
func fingerprint(status *kuscia.ServingStatusDetail) string {
	if status == nil {
		return ""
	}
	text := fmt.Sprintf("%q %q", status.State, status.Reason)
	for _, party := range sortedParties(status) {
		text += fmt.Sprintf(" %q %q %v", party.DomainID, party.Role, numbersOf(party))
	}
	return text
}
