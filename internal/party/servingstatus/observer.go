package servingstatus

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// DeploymentObserver shows whether the pods of a serving have the specification that was
// requested, which the status does not. With an observer this is not inferred from
// replica counts and time, and a party that could not be observed is not done.
type DeploymentObserver interface {
	// Observe reads the present state. An error means that it could not be read.
	Observe(ctx context.Context) (Observation, error)
	// Pods reports why pods of the parties that were not done when last observed do not run, as
	// far as that is known. The end of ctx does not matter, unless it was canceled. Its texts are masked.
	Pods(ctx context.Context) podstatus.Report
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
	// PodsFail says that pods have not started for PodFailureTimeout; "" if they may still
	// start.
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

// proofs are what an observation shows to the judge.
func (s *Observation) proofs() map[string]judge.Proof {
	if s == nil {
		return nil
	}
	proofs := make(map[string]judge.Proof, len(s.Parties))
	for _, p := range s.Parties {
		switch name := PartyName(p.DomainID, p.Role); {
		case p.Done:
			proofs[name] = judge.Proven
		case p.Elsewhere:
			proofs[name] = judge.Elsewhere
		}
	}
	return proofs
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
// is none.
func (w *Wait) lastStatus() *kuscia.ServingStatusDetail {
	if w.last == nil && w.target.Before != nil {
		return w.target.Before.Status
	}
	return w.last
}

// observing reads an observer beside the statuses, so that a cluster that does not respond
// delays none of them.
type observing struct {
	ctx      context.Context
	cancel   context.CancelFunc
	observer DeploymentObserver
	// due fires when it is to be read next, and results has what was read.
	due     *time.Timer
	results chan observed
	reading bool
}

// observed is a reading of an observer, which was begun at a time.
type observed struct {
	at          time.Time
	observation Observation
	err         error
}

// observe begins to read an observer; nil is never read.
func observe(ctx context.Context, observer DeploymentObserver, pause time.Duration) *observing {
	o := &observing{observer: observer, due: time.NewTimer(pause), results: make(chan observed, 1)}
	o.ctx, o.cancel = context.WithCancel(httpapi.WithoutRestartRetries(ctx))
	if observer == nil {
		o.due.Stop()
	}
	return o
}

// read reads once.
func (o *observing) read() {
	o.reading = true
	go func() {
		at := time.Now()
		observation, err := o.observer.Observe(o.ctx)
		o.results <- observed{at, observation, err}
	}()
}

// end ends the last reading.
func (o *observing) end() {
	o.cancel()
	o.due.Stop()
	if o.reading {
		<-o.results
	}
}

// recordObservation handles a reading, and reports whether it was enough.
func (w *Wait) recordObservation(seen observed) (enough bool) {
	observation, at := seen.observation, seen.at
	if w.lastObservationErr = seen.err; seen.err != nil {
		if w.observerRefused.Record(at, seen.err) {
			w.decide(CauseRefused)
			w.err = fmt.Errorf("its Deployments: %w", seen.err)
		}
		return w.over
	}
	w.observerRefused = wait.Refusal{}
	w.observation = &observation
	if !observation.isOf(w.lastStatus()) {
		w.givenUp = failure{}
		return w.recordOtherCluster(at)
	}
	w.otherClusterSince = time.Time{}
	givenUp := w.givenUp.record(at, observation.GivenUp)
	switch {
	case observation.Paused != "":
		w.over, w.paused = true, true
	case observation.Stopped, givenUp && !w.target.Updated:
		// After an update, GivenUp may still be from before it.
		w.decide(CauseFailed)
	case observation.PodsFail != "":
		w.decide(CausePodsFail)
	}
	_, missing := w.target.Judged().Unproven(judge.State{Proofs: observation.proofs()})
	return w.over || !missing
}

// recordOtherCluster ends the wait once the cluster has been that of another Kuscia
// for options.otherCluster.
func (w *Wait) recordOtherCluster(at time.Time) (decided bool) {
	if w.otherClusterSince.IsZero() {
		w.otherClusterSince = at
	}
	if at.Sub(w.otherClusterSince) < w.options.otherCluster {
		return false
	}
	w.decide(CauseOtherCluster)
	return true
}
