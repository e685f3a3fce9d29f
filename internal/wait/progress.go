package wait

import (
	"fmt"
	"hash/maphash"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// progressTracker records the states of a wait.
type progressTracker struct {
	seed maphash.Seed
	seen map[uint64]bool
}

// maxSeen bounds the number of recorded statuses. A rollout has about three
// times as many different statuses as pods; after this limit nothing counts as
// progress.
const maxSeen = 10_000

// record reports whether a state, as a text, is new. Alternating between states is no
// progress: a container that crashes becomes available again and again, and the reason
// of an image that cannot be pulled changes with every attempt.
func (p *progressTracker) record(state string) bool {
	if p.seen == nil {
		p.seed, p.seen = maphash.MakeSeed(), map[uint64]bool{}
	}
	key := maphash.String(p.seed, state)
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
	return fmt.Sprintf("%q %q", status.State, status.Reason) + counts(status)
}

// counts is equal for two statuses with the same parties and replica counts, in any
// order of their parties.
func counts(status *kuscia.ServingStatusDetail) (text string) {
	if status == nil {
		return ""
	}
	for _, party := range sortedParties(status) {
		text += fmt.Sprintf(" %q %q %v", party.DomainID, party.Role, numbersOf(party))
	}
	return text
}
