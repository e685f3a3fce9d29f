package wait

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Evidence shows whether the pods of a serving are those that were asked for,
// which its status does not. With it nothing of that is guessed from numbers and
// time: what could not be asked is not done.
type Evidence interface {
	// Look says what there is now. An error is about the question.
	Look(ctx context.Context) (Sight, error)
}

// Sight is what evidence shows. Its texts are fit to be shown.
type Sight struct {
	// Parties are those that there is something to say of.
	Parties []PartySight
	// Held says what keeps the rollout from going on until somebody lets it, and
	// what to do; "" while it goes on by itself.
	Held string
	// GivenUp says why Kuscia has given up, as its status never does; "" if it has
	// not, or nobody knows.
	GivenUp string
	// Text describes it, for messages.
	Text string
}

// PartySight is what evidence shows of a party.
type PartySight struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Done says that it runs what was asked for.
	Done bool
	// Elsewhere says that its pods cannot be looked at, as those of another control
	// plane: its status counts alone.
	Elsewhere bool
}

// of is what a sight has of a party; nothing when there is none.
func (s *Sight) of(party PartyTarget) PartySight {
	if s != nil {
		for _, p := range s.Parties {
			if p.DomainID == party.DomainID && p.Role == party.Role {
				return p
			}
		}
	}
	return PartySight{}
}

// firstUnproven is the first party that evidence has to show and does not.
func (t Target) firstUnproven(sight *Sight) (party PartyTarget, found bool) {
	if t.Evidence == nil {
		return party, false
	}
	for _, p := range t.Parties {
		if seen := sight.of(p); !seen.Done && !seen.Elsewhere {
			return p, true
		}
	}
	return party, false
}

// guesses reports whether the status alone has to tell when the rollout of a party
// begins.
func (t Target) guesses(party PartyTarget, sight *Sight) bool {
	return t.Evidence == nil || sight.of(party).Elsewhere
}

// followEvidence begins to look at the evidence, if there is any. The function
// that it returns ends that.
func (w *waiter) followEvidence(ctx context.Context) (end func()) {
	if w.target.Evidence == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	looking.Go(func() { w.lookAtEvidence(ctx) })
	return func() {
		cancel()
		looking.Wait()
	}
}

// lookAtEvidence looks until there is nothing more to be proven, or the context
// ends. It has the wait's own time, so that a cluster that does not answer holds
// up nobody else.
func (w *waiter) lookAtEvidence(ctx context.Context) {
	pause := w.options.min
	for rest(ctx, pause) {
		at := time.Now()
		sight, err := w.target.Evidence.Look(ctx)
		if ctx.Err() != nil || w.observeSight(at, sight, err) {
			return
		}
		pause = max(w.options.min, min(w.options.max, time.Since(w.began)/time.Duration(w.options.share)))
	}
}

// observeSight takes in what was seen at a time, and reports whether that is
// enough.
func (w *waiter) observeSight(at time.Time, sight Sight, err error) (enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.decided {
		return true
	}
	w.lastSightErr = err
	if err != nil {
		if w.sightRefused.lasts(at, err, w.options.refused) {
			w.decide(fmt.Errorf("its Deployments: %w", err))
		}
		return w.decided
	}
	w.sightRefused = refusal{}
	w.sight = &sight
	switch {
	case sight.Held != "":
		w.decide(errHeld)
		return true
	case sight.GivenUp != "" && !w.target.Updated:
		// After an update it may be what was said before.
		w.decide(errFailed)
		return true
	}
	_, missing := w.target.firstUnproven(&sight)
	return !missing
}

// errHeld ends a wait for a rollout that somebody else has to let go on.
var errHeld = errors.New("the rollout is held")

// refusal is a series of refusals.
type refusal struct {
	since time.Time
	count int
}

// lasts counts a failure and reports whether the server has refused for so long.
func (r *refusal) lasts(at time.Time, err error, limit time.Duration) bool {
	if !isRefusal(err) {
		*r = refusal{}
		return false
	}
	if r.count++; r.count == 1 {
		r.since = at
	}
	return r.count >= sample && at.Sub(r.since) >= limit
}
