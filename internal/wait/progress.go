package wait

import (
	"fmt"
	"hash/maphash"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// progressTracker remembers what the answers of a wait have shown.
type progressTracker struct {
	// lastAt is when something was shown for the first time.
	lastAt time.Time
	seed   maphash.Seed
	seen   map[uint64]bool
}

// maxSeen bounds what is remembered. A rollout shows as many different answers
// as it has pods, times three; what comes after so many is no progress.
const maxSeen = 10_000

// record reports whether a status shows a state, reason or number of pods that
// no earlier one did. Going back and forth is no progress: a container that
// crashes becomes available again and again, and the reason of an image that
// cannot be pulled changes with every try.
func (m *progressTracker) record(status *kuscia.ServingStatusDetail) bool {
	if m.seen == nil {
		m.seed, m.seen = maphash.MakeSeed(), map[uint64]bool{}
	}
	key := maphash.String(m.seed, fingerprint(status))
	if m.seen[key] || len(m.seen) >= maxSeen {
		return false
	}
	m.seen[key] = true
	return true
}

// fingerprint is equal for two statuses that show the same, in any order of
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
