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
	// Observe says what there is now. An error is about the question.
	Observe(ctx context.Context) (Observation, error)
}

// Observation is what evidence shows. Its texts are fit to be shown.
type Observation struct {
	// Parties are those that there is something to say of.
	Parties []PartyObservation
	// Held says what keeps the rollout from going on until somebody lets it, and
	// what to do; "" while it goes on by itself.
	Held string
	// Text describes it, for messages.
	Text string
}

// PartyObservation is what evidence shows of a party.
type PartyObservation struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Done says that it runs what was asked for.
	Done bool
	// Elsewhere says that its pods cannot be looked at, as those of another control
	// plane: its status counts alone.
	Elsewhere bool
}

// of is what an observation has of a party; nothing when there is none.
func (s *Observation) of(party PartyTarget) PartyObservation {
	if s != nil {
		for _, p := range s.Parties {
			if p.DomainID == party.DomainID && p.Role == party.Role {
				return p
			}
		}
	}
	return PartyObservation{}
}

// firstWithoutEvidence is the first party that evidence has to show and does not.
func (t Target) firstWithoutEvidence(observation *Observation) (party PartyTarget, found bool) {
	if t.Evidence == nil {
		return party, false
	}
	for _, p := range t.Parties {
		if seen := observation.of(p); !seen.Done && !seen.Elsewhere {
			return p, true
		}
	}
	return party, false
}

// guesses reports whether the status alone has to tell when the rollout of a party
// begins.
func (t Target) guesses(party PartyTarget, observation *Observation) bool {
	return t.Evidence == nil || observation.of(party).Elsewhere
}

// startEvidence begins to look at the evidence, if there is any. The function
// that it returns ends that.
func (w *waiter) startEvidence(ctx context.Context) (end func()) {
	if w.target.Evidence == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	looking.Go(func() { w.pollEvidence(ctx) })
	return func() {
		cancel()
		looking.Wait()
	}
}

// pollEvidence looks until there is nothing more to be proven, or the context
// ends. It has the wait's own time, so that a cluster that does not answer holds
// up nobody else.
func (w *waiter) pollEvidence(ctx context.Context) {
	pause := w.options.min
	for sleep(ctx, pause) {
		at := time.Now()
		observation, err := w.target.Evidence.Observe(ctx)
		if ctx.Err() != nil || w.observeEvidence(at, observation, err) {
			return
		}
		pause = max(w.options.min, min(w.options.max, time.Since(w.began)/time.Duration(w.options.share)))
	}
}

// observeEvidence takes in what was seen at a time, and reports whether that is
// enough.
func (w *waiter) observeEvidence(at time.Time, observation Observation, err error) (enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.decided {
		return true
	}
	w.lastObservationErr = err
	if err != nil {
		if w.evidenceRefused.lasts(at, err, w.options.refused) {
			w.decide(fmt.Errorf("its Deployments: %w", err))
		}
		return w.decided
	}
	w.evidenceRefused = refusal{}
	w.observation = &observation
	if observation.Held != "" {
		w.decide(errHeld)
		return true
	}
	_, missing := w.target.firstWithoutEvidence(&observation)
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
