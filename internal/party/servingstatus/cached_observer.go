package servingstatus

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
)

// CachedObserver is the observer of a refresh: the cluster is queried at most
// once, and only if the result matters. It is nil if the provider has no
// cluster.
type CachedObserver struct {
	query       func() (Observation, error)
	queried     bool
	observation *Observation
	err         error
}

// NewCachedObserver returns an observer that reads the cluster with look.
func NewCachedObserver(look func() (Observation, error)) *CachedObserver {
	return &CachedObserver{query: look}
}

// Err is the error of the query of the cluster; nil if it succeeded or was not
// made.
func (p *CachedObserver) Err() error {
	if p == nil {
		return nil
	}
	return p.err
}

// Observe queries the cluster on the first call and returns the same result
// later.
func (p *CachedObserver) Observe(context.Context) (Observation, error) {
	if !p.queried {
		p.queried = true
		if observation, err := p.query(); err == nil {
			p.observation = &observation
		} else {
			p.err = err
		}
	}
	if p.observation == nil {
		return Observation{}, p.err
	}
	return *p.observation, nil
}

// Pods reports nothing: a refresh does not tell why pods do not run.
func (p *CachedObserver) Pods(context.Context) podstatus.Report { return podstatus.Report{} }

// PartyOf returns what a query of the cluster has shown of a party; nothing if there was no
// query.
func (p *CachedObserver) PartyOf(domainID, role string) (seen PartyObservation) {
	if p == nil || p.observation == nil {
		return seen
	}
	for _, seen := range p.observation.Parties {
		if seen.DomainID == domainID && seen.Role == role {
			return seen
		}
	}
	return seen
}

// applyTo makes the judge use the observer for a target, and returns what it shows.
func (p *CachedObserver) applyTo(target Target) (Target, *Observation) {
	if p == nil {
		return target, nil
	}
	target.Observer = p
	if observation, err := p.Observe(context.Background()); err == nil {
		return target, &observation
	}
	return target, nil
}
