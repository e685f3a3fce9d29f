package wait

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// DeploymentObserver shows whether the pods of a serving have the specification that was
// requested, which the status does not. With an observer this is not inferred from
// replica counts and time, and a party that could not be observed is not done.
type DeploymentObserver interface {
	// Observe reads the present state. An error means that it could not be read.
	Observe(ctx context.Context) (Observation, error)
}

// Observation is a result of a DeploymentObserver. Its texts are masked.
type Observation struct {
	// Parties are the parties that were observed.
	Parties []PartyObservation
	// Paused describes what has paused the rollout until it is resumed manually,
	// and how to resume it; "" if it is not paused.
	Paused string
	// GivenUp describes why Kuscia has given up, which its status never shows;
	// "" if it has not, or if that is unknown.
	GivenUp string
	// Stopped is set if nothing but a manual change continues the rollout; Text says why.
	Stopped bool
	// PodsFail describes why pods have not started for PodFailureTimeout; "" if they may
	// still start.
	PodsFail string
	// Created is when the KusciaDeployment was created; zero if unknown.
	Created time.Time
	// Missing is set if the cluster has no KusciaDeployment of this name.
	Missing bool
	// Text describes the observation, for messages.
	Text string
}

// PartyObservation is what was observed of a party.
type PartyObservation struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Image is the image of its Deployment; "" if that is not known.
	Image string
	// Applied is set if Kuscia has applied the specification to the Deployment, whether its pods run
	// or not.
	Applied bool
	// Done is set if the party runs as specified.
	Done bool
	// Elsewhere is set if its Deployment is in the cluster of another control
	// plane and cannot be read. Only the status is available then.
	Elsewhere bool
}

// of returns the observation of a party, or the zero value.
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

// createdTogether is the maximum difference between the creation times of a
// serving and its KusciaDeployment. Kuscia reports the latter as the former, in
// whole seconds.
const createdTogether = 5 * time.Second

// isOf reports whether an observation can be of the serving with a status. A
// serving of the same name in the cluster of another Kuscia was created at
// another time. In its own cluster the KusciaDeployment exists before the
// serving has a status.
func (s *Observation) isOf(status *kuscia.ServingStatusDetail) bool {
	return s == nil || MayBelongTo(s.Created, status) && (!s.Missing || status == nil)
}

// MayBelongTo reports whether a KusciaDeployment with a creation time, zero if
// unknown, can be that of the serving with a status.
func MayBelongTo(kusciaDeploymentCreated time.Time, status *kuscia.ServingStatusDetail) bool {
	if status == nil || kusciaDeploymentCreated.IsZero() {
		return true
	}
	created, err := time.Parse(time.RFC3339, status.CreateTime)
	return err != nil || created.Sub(kusciaDeploymentCreated).Abs() <= createdTogether
}

// lastStatus returns the last status, or the one from before the update if there
// is none. The lock is held.
func (w *waiter) lastStatus() *kuscia.ServingStatusDetail {
	if w.last == nil && w.target.Before != nil {
		return w.target.Before.Status
	}
	return w.last
}

// firstNotObservedDone returns the first party that the observer must report as
// done and does not.
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

// statusOnly reports whether the start of a party's rollout can be observed in
// the status only.
func (t Target) statusOnly(party PartyTarget, observation *Observation) bool {
	return t.Observer == nil || observation.of(party).Elsewhere
}

// startObserving starts polling the observer, if there is one. The returned
// function stops it.
func (w *waiter) startObserving(ctx context.Context) (end func()) {
	if w.target.Observer == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(httpapi.WithoutRestartRetries(ctx))
	var polling sync.WaitGroup
	polling.Go(func() { w.pollObserver(ctx) })
	return func() {
		cancel()
		polling.Wait()
	}
}

// pollObserver polls until all parties are done or the context ends. It is
// separate from the shared poller, so that a cluster that does not respond
// delays no other wait.
func (w *waiter) pollObserver(ctx context.Context) {
	pause := w.options.min
	for Sleep(ctx, pause) {
		at := time.Now()
		observation, err := w.target.Observer.Observe(ctx)
		if ctx.Err() != nil || w.recordObservation(at, observation, err) {
			return
		}
		pause = max(w.options.min, min(w.options.max, time.Since(w.began)/time.Duration(w.options.ageDivisor)))
	}
}

// recordObservation records an observation, and reports whether polling can
// stop.
func (w *waiter) recordObservation(at time.Time, observation Observation, err error) (enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.decided {
		return true
	}
	w.lastObservationErr = err
	if err != nil {
		if w.observerRefused.record(at, err) {
			w.decide(fmt.Errorf("its Deployments: %w", err))
		}
		return w.decided
	}
	w.observerRefused = refusal{}
	w.observation = &observation
	if !observation.isOf(w.lastStatus()) {
		w.givenUp = failure{}
		return w.recordOtherCluster(at)
	}
	w.otherClusterSince = time.Time{}
	givenUp := w.givenUp.record(at, observation.GivenUp)
	switch {
	case observation.Paused != "":
		w.decide(errPaused)
		return true
	case observation.Stopped, givenUp && !w.target.Updated:
		// After an update, GivenUp may still be from before it.
		w.decide(errFailed)
		return true
	case observation.PodsFail != "":
		w.decide(errPodsFail)
		return true
	}
	_, missing := w.target.firstNotObservedDone(&observation)
	return !missing
}

// recordOtherCluster ends the wait once the cluster has been that of another Kuscia
// for options.otherCluster. The lock is held.
func (w *waiter) recordOtherCluster(at time.Time) (decided bool) {
	if w.otherClusterSince.IsZero() {
		w.otherClusterSince = at
	}
	if at.Sub(w.otherClusterSince) < w.options.otherCluster {
		return false
	}
	w.decide(errOtherCluster)
	return true
}

// errPaused ends a wait for a rollout that is paused until it is resumed manually.
var errPaused = errors.New("the rollout is paused")
