package rollout

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Deployments are those that Kuscia made of a serving, as evidence of what its
// pods were made from.
type Deployments struct {
	cluster rolloutstatus.Cluster
	watch   *rolloutstatus.Watch
}

var _ wait.Evidence = (*Deployments)(nil)

// DeploymentsOf are those of a serving, to be looked at from now on.
func DeploymentsOf(cluster rolloutstatus.Cluster, servingID string) *Deployments {
	return &Deployments{cluster, rolloutstatus.New(cluster, servingID)}
}

// notInCluster is what is seen of a serving that the cluster does not have.
const notInCluster = "there is no KusciaDeployment of this serving in the cluster that kubernetes of the provider block leads to"

// Look asks the cluster.
func (d *Deployments) Look(ctx context.Context) (wait.Sight, error) {
	status, err := d.watch.Look(ctx)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return wait.Sight{Text: notInCluster}, nil
	case err != nil:
		return wait.Sight{}, err //nolint:wrapcheck // the client's errors say what was asked
	}
	seen := wait.Sight{Held: status.Held, GivenUp: d.cluster.Masker(ctx).Text(status.GivenUp())}
	text := status.Text()
	for _, p := range status.Parties {
		seen.Parties = append(seen.Parties, wait.PartySight{DomainID: p.Key.DomainID, Role: p.Key.Role, Done: p.Done})
		if p.Failed != "" && p.HeldBy == "" {
			text = strings.TrimRight(text, ".") + ". Kubernetes has given up on the Deployment of domain " + p.Key.DomainID + ": " + p.Failed
		}
	}
	for _, key := range status.Partners {
		seen.Parties = append(seen.Parties, wait.PartySight{DomainID: key.DomainID, Role: key.Role, Elsewhere: true})
	}
	seen.Text = d.cluster.Masker(ctx).Text(text)
	return seen, nil
}

// Proof is what the cluster shows of a serving in a refresh, which is asked at most
// once, and only where it matters. nil is that of a provider without a cluster.
type Proof struct {
	look  func() (wait.Sight, error)
	asked bool
	sight *wait.Sight
	err   error
}

// NewProof returns one that asks with look.
func NewProof(look func() (wait.Sight, error)) *Proof { return &Proof{look: look} }

// Err is why the cluster could not be asked; nil if it could, or was not.
func (p *Proof) Err() error {
	if p == nil {
		return nil
	}
	return p.err
}

// Look asks the first time.
func (p *Proof) Look(context.Context) (wait.Sight, error) {
	if !p.asked {
		p.asked = true
		if sight, err := p.look(); err == nil {
			p.sight = &sight
		} else {
			p.err = err
		}
	}
	if p.sight == nil {
		return wait.Sight{}, p.err
	}
	return *p.sight, nil
}

// bear lets the verdict over a target go by the proof.
func (p *Proof) bear(target wait.Target, history wait.History) (wait.Target, wait.History) {
	if p == nil {
		return target, history
	}
	target.Evidence = p
	if sight, err := p.Look(context.Background()); err == nil {
		history.Sight = &sight
	}
	return target, history
}

// The pace of a preflight: a cluster may not have what was made right before.
const (
	preflightFor  = 3 * time.Second
	preflightRest = 100 * time.Millisecond
)

// Preflight reports why the wait for a serving could never end, before anything is
// sent. exists says that Kuscia has the serving already.
func (d *Deployments) Preflight(ctx context.Context, exists bool, parties []kuscia.ServingParty) error {
	wanted := make([]kube.KusciaDeploymentParty, len(parties))
	for i, p := range parties {
		wanted[i] = kube.KusciaDeploymentParty{DomainID: p.DomainID, Role: p.Role, AppImageRef: p.AppImage}
	}
	for began := time.Now(); ; {
		err := d.watch.Preflight(ctx, exists, wanted)
		var missing *rolloutstatus.NotInClusterError
		if !errors.As(err, &missing) || time.Since(began) > preflightFor {
			return err //nolint:wrapcheck // the client's errors say what was asked
		}
		select {
		case <-time.After(preflightRest):
		case <-ctx.Done():
			return err //nolint:wrapcheck // as above
		}
	}
}
