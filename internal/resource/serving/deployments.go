package serving

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// deployments observes the Deployments that Kuscia created for a serving. They
// show from which definition its pods were created.
type deployments struct {
	cluster rolloutstatus.Cluster
	reader  *rolloutstatus.Reader
	// progress is how long a rollout may make no progress; with 0 only the
	// timeout of the wait limits it.
	progress time.Duration
}

var _ servingstatus.DeploymentObserver = (*deployments)(nil)

// deploymentsOf returns the observer of the Deployments of a serving.
func deploymentsOf(cluster rolloutstatus.Cluster, servingID string) *deployments {
	return &deployments{cluster: cluster, reader: rolloutstatus.New(cluster, servingID)}
}

// withProgressDeadline sets how long a rollout may make no progress: a pause of a release
// that lasts longer ends the wait as paused. 0 means no limit.
func (d *deployments) withProgressDeadline(progressDeadline time.Duration) *deployments {
	d.progress = progressDeadline
	return d
}

// notInCluster describes a serving that the cluster does not have.
const notInCluster = "the cluster of kubernetes in the provider block has no KusciaDeployment of this serving"

// Observe queries the cluster.
func (d *deployments) Observe(ctx context.Context) (servingstatus.Observation, error) {
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

// The time and the number of retries of a preflight: the cluster may not yet
// show an object that was just created.
const (
	preflightTimeout = 3 * time.Second
	preflightPause   = 100 * time.Millisecond
)

// errOtherCluster means that the cluster has another serving of the same name.
var errOtherCluster = errors.New("the KusciaDeployment of this name was created at a different time than the serving: it is not the cluster of this Kuscia")

// preflight reports, before anything is sent, why the wait for a serving could
// never end. exists is set if Kuscia already has the serving; status is then its
// status, nil if it has none.
func (d *deployments) preflight(ctx context.Context, exists bool, status *kuscia.ServingStatusDetail, parties []kuscia.ServingParty) error {
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
		if !errors.As(err, &missing) || time.Since(began) > preflightTimeout || !wait.Sleep(ctx, preflightPause) {
			return err //nolint:wrapcheck // the client's errors name the request
		}
	}
}
