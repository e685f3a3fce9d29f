package rules

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
)

// Deployments observes the Deployments that Kuscia created for a serving. They
// show from which definition its pods were created.
type Deployments struct {
	cluster rolloutstatus.Cluster
	reader  *rolloutstatus.Reader
	// progress is how long a rollout may make no progress; with 0 only the
	// timeout of the wait limits it.
	progress time.Duration
}

var _ servingstatus.DeploymentObserver = (*Deployments)(nil)

// DeploymentsOf returns the observer of the Deployments of a serving.
func DeploymentsOf(cluster rolloutstatus.Cluster, servingID string) *Deployments {
	return &Deployments{cluster: cluster, reader: rolloutstatus.New(cluster, servingID)}
}

// WithProgressDeadline sets how long a rollout may make no progress: a pause of a release
// that lasts longer ends the wait as paused. 0 means no limit.
func (d *Deployments) WithProgressDeadline(progressDeadline time.Duration) *Deployments {
	d.progress = progressDeadline
	return d
}

// notInCluster describes a serving that the cluster does not have.
const notInCluster = "the cluster of kubernetes in the provider block has no KusciaDeployment of this serving"

// Observe queries the cluster.
func (d *Deployments) Observe(ctx context.Context) (servingstatus.Observation, error) {
	if d.progress > 0 {
		limited, cancel := context.WithTimeout(ctx, d.progress)
		defer cancel()
		ctx = limited
	}
	status, err := d.reader.Read(ctx)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return servingstatus.Observation{Missing: true, Text: notInCluster}, nil
	case err != nil:
		return servingstatus.Observation{}, err //nolint:wrapcheck // the client's errors name the request
	}
	seen := servingstatus.Observation{Paused: status.Paused, GivenUp: d.cluster.Masker(ctx).Text(status.GivenUp()), Stopped: status.PausedByOthers != ""}
	seen.PodsFail = d.cluster.Masker(ctx).Text(status.PodsFail)
	if created, err := time.Parse(time.RFC3339, status.KusciaDeployment.Metadata.CreationTimestamp); err == nil {
		seen.Created = created
	}
	text := status.Text()
	for _, p := range status.Parties {
		seen.Parties = append(seen.Parties, servingstatus.PartyObservation{DomainID: p.Key.DomainID, Role: p.Key.Role, Image: p.Image, Applied: p.SpecAsExpected, Done: p.Done})
		if p.Failed != "" && p.ReleasedBy == "" {
			text = strings.TrimRight(text, ".") + ". The progress deadline of the Deployment is exceeded in domain " + p.Key.DomainID + ": " + p.Failed
		}
	}
	for _, key := range status.Partners {
		seen.Parties = append(seen.Parties, servingstatus.PartyObservation{DomainID: key.DomainID, Role: key.Role, Elsewhere: true})
	}
	seen.Text = d.cluster.Masker(ctx).Text(text)
	return seen, nil
}

// CachedObserver is the observer of a refresh: the cluster is queried at most
// once, and only if the result matters. It is nil if the provider has no
// cluster.
type CachedObserver struct {
	query       func() (servingstatus.Observation, error)
	queried     bool
	observation *servingstatus.Observation
	err         error
}

// NewCachedObserver returns an observer that reads the cluster with look.
func NewCachedObserver(look func() (servingstatus.Observation, error)) *CachedObserver {
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
func (p *CachedObserver) Observe(context.Context) (servingstatus.Observation, error) {
	if !p.queried {
		p.queried = true
		if observation, err := p.query(); err == nil {
			p.observation = &observation
		} else {
			p.err = err
		}
	}
	if p.observation == nil {
		return servingstatus.Observation{}, p.err
	}
	return *p.observation, nil
}

// PartyOf returns what a query of the cluster has shown of a party; nothing if there was no
// query.
func (p *CachedObserver) PartyOf(key party.Key) (seen servingstatus.PartyObservation) {
	if p == nil || p.observation == nil {
		return seen
	}
	for _, seen := range p.observation.Parties {
		if (party.Key{DomainID: seen.DomainID, Role: seen.Role}) == key {
			return seen
		}
	}
	return seen
}

// applyTo makes servingstatus.Evaluate use the observer for a target.
func (p *CachedObserver) applyTo(target servingstatus.Target, history servingstatus.History) (servingstatus.Target, servingstatus.History) {
	if p == nil {
		return target, history
	}
	target.Observer = p
	if observation, err := p.Observe(context.Background()); err == nil {
		history.Observation = &observation
	}
	return target, history
}

// The time and the number of retries of a preflight: the cluster may not yet
// show an object that was just created.
const (
	preflightTimeout = 3 * time.Second
	preflightPause   = 100 * time.Millisecond
)

// errOtherCluster means that the cluster has another serving of the same name.
var errOtherCluster = errors.New("the KusciaDeployment of this name was created at a different time than the serving: it is not the cluster of this Kuscia")

// Preflight reports, before anything is sent, why the wait for a serving could
// never end. exists is set if Kuscia already has the serving; status is then its
// status, nil if it has none.
func (d *Deployments) Preflight(ctx context.Context, exists bool, status *kuscia.ServingStatusDetail, parties []kuscia.ServingParty) error {
	desired := make([]kube.KusciaDeploymentParty, len(parties))
	for i, p := range parties {
		desired[i] = kube.KusciaDeploymentParty{DomainID: p.DomainID, Role: p.Role, AppImageRef: p.AppImage}
	}
	for began := time.Now(); ; {
		err := d.reader.Preflight(ctx, exists, desired)
		if created, parseErr := time.Parse(time.RFC3339, d.reader.Created()); parseErr == nil && !servingstatus.MayBelongTo(created, status) {
			return errOtherCluster
		}
		var missing *rolloutstatus.NotInClusterError
		if !errors.As(err, &missing) || time.Since(began) > preflightTimeout {
			return err //nolint:wrapcheck // the client's errors name the request
		}
		select {
		case <-time.After(preflightPause):
		case <-ctx.Done():
			return err //nolint:wrapcheck // as above
		}
	}
}
