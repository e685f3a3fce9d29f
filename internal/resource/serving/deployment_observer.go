package serving

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// observerFor returns the observer for the wait for a planned serving: its
// Deployments if the provider block names a cluster, else nil. live is the
// serving in Kuscia, nil before a create.
func observerFor(ctx context.Context, c *clients.Clients, planned rules.Serving, live *liveServing, diags *diag.Diagnostics) servingstatus.DeploymentObserver {
	if !planned.WaitForRollout.ValueBool() {
		return nil
	}
	parties := make([]kuscia.ServingParty, len(planned.Parties.Items))
	for i, p := range planned.Parties.Items {
		parties[i] = kuscia.ServingParty{DomainID: p.DomainID.ValueString(), Role: p.Role.ValueString(), AppImage: p.AppImage.ValueString()}
	}
	id := planned.ServingID.ValueString()
	var status *kuscia.ServingStatusDetail
	if c.HasKubernetes() && live != nil {
		if response, err := live.get(ctx); err == nil {
			status = response.Status
		}
	}
	deployments, err := checkedObserver(ctx, c, id, live != nil, status, parties, rules.ProgressDeadline(planned))
	if err != nil {
		clients.AddError(diags, "Unable to query cluster for serving", fmt.Errorf(
			"%w\n\nNothing was sent. With kubernetes in the provider block, the provider reads the Deployments to determine whether a serving runs. "+
				"Correct kubernetes, or remove it from the provider block of this Kuscia, or set wait_for_rollout = false. "+
				"Environment variables KUSCIA_KUBE_* apply to every provider block: with several Kuscias, set kubernetes in the provider blocks instead", err))
	}
	return deployments
}

// checkedObserver returns the Deployments of a serving, nil if the provider
// block names no cluster. A cluster that cannot be queried is an error before
// anything is sent: without it the provider could not determine whether the
// serving runs.
func checkedObserver(ctx context.Context, c *clients.Clients, id string, exists bool, status *kuscia.ServingStatusDetail, parties []kuscia.ServingParty, progressDeadline time.Duration) (servingstatus.DeploymentObserver, error) {
	if !c.HasKubernetes() {
		return nil, nil //nolint:nilnil // there is none
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return nil, err //nolint:wrapcheck // the error describes the problem
	}
	deployments := rules.DeploymentsOf(client, id).WithProgressDeadline(progressDeadline)
	if err := deployments.Preflight(ctx, exists, status, parties); err != nil {
		return nil, err //nolint:wrapcheck // the client's errors name the request
	}
	return deployments, nil
}

// cachedDeploymentsOf returns the observer of a refresh.
func cachedDeploymentsOf(ctx context.Context, c *clients.Clients, id string) *rules.CachedObserver {
	if !c.HasKubernetes() {
		return nil
	}
	return rules.NewCachedObserver(func() (servingstatus.Observation, error) {
		client, err := c.Kubernetes.Open()
		if err != nil {
			return servingstatus.Observation{}, err //nolint:wrapcheck // the error describes the problem
		}
		return rules.DeploymentsOf(client, id).Observe(ctx)
	})
}

// warnRolloutUnknown warns that a refresh could not determine whether a rollout
// is complete.
func warnRolloutUnknown(diags *diag.Diagnostics, id string, observer *rules.CachedObserver) {
	if err := observer.Err(); err != nil {
		diags.AddWarning("Unknown whether serving runs", fmt.Sprintf(
			"With kubernetes in the provider block the provider reads the Deployments of serving %q, and that failed: %s\n\nUntil it succeeds, rollout_complete does not change.", id, err))
	}
}
