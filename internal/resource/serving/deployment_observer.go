package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// readsDeployments reports whether the Deployments of servings are read in a cluster. Before
// Kuscia v0.6 its KusciaDeployments belong to no namespace and are not found there, so that only
// the status is known, as without a cluster.
func readsDeployments(ctx context.Context, c *run.Run) bool {
	return c.HasKubernetes() && c.KusciaVersion(ctx).Has(versions.NamespacedDeployments)
}

// observerFor returns the observer for the wait for a planned serving: its
// Deployments if the provider block names a cluster, else nil. live is the
// serving in Kuscia, nil before a create.
func observerFor(ctx context.Context, c *run.Run, planned rules.Serving, live *liveServing, diags *diag.Diagnostics) servingstatus.DeploymentObserver {
	if !planned.WaitForRollout().ValueBool() {
		return nil
	}
	parties := make([]kuscia.ServingParty, len(planned.Parties().Items))
	for i, p := range planned.Parties().Items {
		parties[i] = kuscia.ServingParty{DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), AppImage: p.AppImage().ValueString()}
	}
	id := planned.ServingID().ValueString()
	var status *kuscia.ServingStatusDetail
	if readsDeployments(ctx, c) && live != nil {
		if response, err := live.get(ctx); err == nil {
			status = response.Status
		}
	}
	observer, err := checkedObserver(ctx, c, id, live != nil, status, parties, rules.ProgressDeadline(planned))
	if err != nil {
		message.AddError(diags, "Unable to query cluster for serving", fmt.Errorf(
			"%w\n\nNothing was sent. With kubernetes in the provider block, the provider reads the Deployments to determine whether a serving runs. "+
				"Correct kubernetes, or remove it from the provider block of this Kuscia, or set wait_for_rollout = false. "+
				"Environment variables KUSCIA_KUBE_* apply to every provider block: with several Kuscias, set kubernetes in the provider blocks instead", err))
	}
	return observer
}

// checkedObserver returns the Deployments of a serving, nil if the provider
// block names no cluster. A cluster that cannot be queried is an error before
// anything is sent: without it the provider could not determine whether the
// serving runs.
func checkedObserver(ctx context.Context, c *run.Run, id string, exists bool, status *kuscia.ServingStatusDetail, parties []kuscia.ServingParty, progressDeadline time.Duration) (servingstatus.DeploymentObserver, error) {
	if !readsDeployments(ctx, c) {
		return nil, nil // there is none
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return nil, err
	}
	observer := deploymentsOf(client, id).withProgressDeadline(progressDeadline)
	if err := observer.preflight(ctx, exists, status, parties); err != nil {
		return nil, err
	}
	return observer, nil
}

// cachedDeploymentsOf returns the observer of a refresh.
func cachedDeploymentsOf(ctx context.Context, c *run.Run, id string) *servingstatus.CachedObserver {
	if !readsDeployments(ctx, c) {
		return nil
	}
	return servingstatus.NewCachedObserver(func() (servingstatus.Observation, error) {
		client, err := c.Kubernetes.Open()
		if err != nil {
			return servingstatus.Observation{}, err
		}
		return deploymentsOf(client, id).Observe(ctx)
	})
}

// warnRolloutUnknown warns that a refresh could not determine whether a rollout
// is complete.
func warnRolloutUnknown(diags *diag.Diagnostics, id string, observer *servingstatus.CachedObserver) {
	if err := observer.Err(); err != nil {
		diags.AddWarning("Unknown whether serving runs", fmt.Sprintf(
			"With kubernetes in the provider block the provider reads the Deployments of serving %q, and that failed: %s\n\nUntil it succeeds, rollout_complete does not change.", id, err))
	}
}

// deployments observes the Deployments that Kuscia created for a serving. They
// show from which definition its pods were created.
type deployments struct {
	cluster rolloutstatus.Cluster
	reader  *rolloutstatus.Reader
	// progress is how long a rollout may make no progress; with 0 only the
	// timeout of the wait limits it.
	progress time.Duration
}

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
		return servingstatus.Observation{}, err
	}
	seen := servingstatus.Observation{Paused: status.Paused, GivenUp: d.cluster.Masker(ctx).Text(status.GivenUp()), Stopped: status.PausedByOthers != ""}
	seen.PodsFail = d.cluster.Masker(ctx).Text(status.PodsFail)
	if created, err := time.Parse(time.RFC3339, status.KusciaDeployment.Metadata.CreationTimestamp); err == nil {
		seen.Created = created
	}
	text := status.Text()
	for _, p := range status.Parties {
		seen.Parties = append(seen.Parties, servingstatus.PartyObservation{DomainID: p.Key.DomainID, Role: p.Key.Role, Image: p.Image, Applied: p.SpecAsExpected(), Done: p.Runs()})
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

// Pods reports why pods do not run.
func (d *deployments) Pods(ctx context.Context) podstatus.Report { return d.reader.Pods(ctx) }

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
		if !errors.As(err, &missing) || time.Since(began) > preflightTimeout {
			return err
		}
		select {
		case <-time.After(preflightPause):
		case <-ctx.Done():
			return err
		}
	}
}

// mayHaveKubernetes reports whether the provider block has a cluster, or may have one that
// is not known yet.
func mayHaveKubernetes(c *run.Run) bool {
	return c.HasKubernetes() || c != nil && len(c.Kubernetes.Unknown) > 0
}
