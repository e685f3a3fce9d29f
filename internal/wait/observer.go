package wait

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// DeploymentObserver shows whether the pods of a serving have the specification that was
// requested, which the status does not. With it that is not inferred from replica
// counts and time, and a party that could not be observed is not done.
type DeploymentObserver interface {
	// Observe reads the present state. An error means that it could not be read.
	Observe(ctx context.Context) (Observation, error)
}

// Observation is a result of Evidence. Its texts are masked.
type Observation struct {
	// Parties are the parties that were observed.
	Parties []PartyObservation
	// Held says what has paused the rollout until somebody continues it, and how to do
	// that; "" if it is not paused.
	Held string
	// GivenUp says why Kuscia has given up, as its status never does; "" if it has
	// not, or nobody knows.
	GivenUp string
	// Created is when its KusciaDeployment was created; zero is not known.
	Created time.Time
	// Missing says that the cluster has no KusciaDeployment of this name.
	Missing bool
	// Text describes it, for messages.
	Text string
}

// PartyObservation is what was observed of a party.
type PartyObservation struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Done says that it runs as specified.
	Done bool
	// Elsewhere says that its Deployment is in the cluster of another control plane
	// and cannot be read: its status alone decides.
	Elsewhere bool
}

// of is what was observed of a party; the zero value if nothing was.
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

// createdTogether is how far the times at which a serving and its KusciaDeployment
// were created may be apart: Kuscia shows the one for the other, in whole seconds.
const createdTogether = 5 * time.Second

// isOf reports whether an observation can be of the serving with a status: one of
// the same name in the cluster of another Kuscia was created at another time. In its
// own cluster it is there before it has a status.
func (s *Observation) isOf(status *kuscia.ServingStatusDetail) bool {
	return s == nil || CanBeOf(s.Created, status) && (!s.Missing || status == nil)
}

// CanBeOf reports whether a KusciaDeployment that was created at a time, zero for
// not known, can be that of the serving with a status.
func CanBeOf(kusciaDeploymentCreated time.Time, status *kuscia.ServingStatusDetail) bool {
	if status == nil || kusciaDeploymentCreated.IsZero() {
		return true
	}
	created, err := time.Parse(time.RFC3339, status.CreateTime)
	return err != nil || created.Sub(kusciaDeploymentCreated).Abs() <= createdTogether
}

// lastStatus is the last status, or that of before the update. The lock is held.
func (w *waiter) lastStatus() *kuscia.ServingStatusDetail {
	if w.last == nil && w.target.Before != nil {
		return w.target.Before.Status
	}
	return w.last
}

// firstNotObservedDone is the first party that should be observed as done and is not.
func (t Target) firstNotObservedDone(observation *Observation) (party PartyTarget, found bool) {
	if t.Observer == nil {
		return party, false
	}
	for _, p := range t.Parties {
		if seen := observation.of(p); !seen.Done && !seen.Elsewhere {
			return p, true
		}
	}
	return party, false
}

// statusOnly reports whether the status alone has to tell when the rollout of a party
// begins.
func (t Target) statusOnly(party PartyTarget, observation *Observation) bool {
	return t.Observer == nil || observation.of(party).Elsewhere
}

// startObserving starts polling the evidence, if there is any. The returned function
// stops it.
func (w *waiter) startObserving(ctx context.Context) (end func()) {
	if w.target.Observer == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var polling sync.WaitGroup
	polling.Go(func() { w.pollObserver(ctx) })
	return func() {
		cancel()
		polling.Wait()
	}
}

// pollObserver polls until all parties are done or the context ends. It runs apart
// from the shared poller, so that a cluster that does not answer delays no other
// wait.
func (w *waiter) pollObserver(ctx context.Context) {
	pause := w.options.min
	for sleep(ctx, pause) {
		at := time.Now()
		observation, err := w.target.Observer.Observe(ctx)
		if ctx.Err() != nil || w.recordObservation(at, observation, err) {
			return
		}
		pause = max(w.options.min, min(w.options.max, time.Since(w.began)/time.Duration(w.options.share)))
	}
}

// recordObservation records an observation, and reports whether polling can end.
func (w *waiter) recordObservation(at time.Time, observation Observation, err error) (enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.decided {
		return true
	}
	w.lastObservationErr = err
	if err != nil {
		if w.observerRefused.lasts(at, err) {
			w.decide(fmt.Errorf("its Deployments: %w", err))
		}
		return w.decided
	}
	w.observerRefused = refusal{}
	w.observation = &observation
	if !observation.isOf(w.lastStatus()) {
		w.givenUp = failure{}
		return w.observeOther(at)
	}
	w.otherSince = time.Time{}
	givenUp := w.givenUp.lasts(at, observation.GivenUp)
	switch {
	case observation.Held != "":
		w.decide(errHeld)
		return true
	case givenUp && !w.target.Updated:
		// After an update it may be what was said before.
		w.decide(errFailed)
		return true
	}
	_, missing := w.target.firstNotObservedDone(&observation)
	return !missing
}

// observeOther ends a wait that nothing comes of: for some time the cluster has been
// that of another Kuscia. The lock is held.
func (w *waiter) observeOther(at time.Time) (decided bool) {
	if w.otherSince.IsZero() {
		w.otherSince = at
	}
	if at.Sub(w.otherSince) < w.options.otherCluster {
		return false
	}
	w.decide(errOtherCluster)
	return true
}

// errHeld ends a wait for a rollout that is paused until somebody continues it.
var errHeld = errors.New("the rollout is held")
