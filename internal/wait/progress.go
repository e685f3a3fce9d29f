package wait

import "hash/maphash"

// Progress records the states of a wait. The zero value is ready for use.
type Progress struct {
	seed maphash.Seed
	seen map[uint64]bool
}

// maxSeen bounds the number of recorded statuses. A rollout has about three
// times as many different statuses as pods; after this limit nothing counts as
// progress.
const maxSeen = 10_000

// Record reports whether a state, as a text, is new. Alternating between states is no
// progress: a container that crashes becomes available again and again, and the reason
// of an image that cannot be pulled changes with every attempt.
func (p *Progress) Record(state string) bool {
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
