package edgedeployment

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// shortcuts handle the requests that Terraform sends for every deployment of
// every plan and that change nothing. They call the functions of the resource,
// so that the rules are the same.
type shortcuts struct{ *crud.Kind }

var _ crud.Shortcuts = shortcuts{}

// NewResource returns the resource.
func (shortcuts) NewResource() resource.Resource { return NewResource() }

// NoOpPlan reports whether the plan equals the prior state and has no warnings.
func (shortcuts) NoOpPlan(_ context.Context, c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	settings := settingsOf(c)
	remembered, ok := privateKey.FromProtocol(private)
	if !ok || !settings.known || remembered.Imported {
		return false
	}
	desired, ok := deployment.FromProtocol(config)
	state, alsoOK := deployment.FromProtocol(prior)
	if !ok || !alsoOK {
		return false
	}
	desired, next := remembered.WithImportedSecrets(deployment, desired, state)
	if next != remembered.Flags || len(checkUnsetSecrets(desired)) > 0 {
		return false // the planned private state differs
	}
	change := plan(desired, state, settings, false)
	return len(change.replaces) == 0 && definition.Equal(change.planned, state)
}

// prefetchedKey identifies a deployment among those of all versions and
// instances.
func prefetchedKey(scope ief.Scope, id string) string {
	return string(scope.Version) + "/" + importID(id, scope.InstanceID)
}

// get reads a deployment, or returns the response that a shortcut has already
// read for the same request.
func get(ctx context.Context, client api, scope ief.Scope, id string) (*ief.Deployment, error) {
	if before, ok := fastpath.PrefetchedOf[*ief.Deployment](ctx, prefetchedKey(scope, id)); ok {
		return before.Response, before.Err
	}
	return client.Get(ctx, scope, id) //nolint:wrapcheck // the client's errors describe the request
}

// NoOpRead reads the deployment and reports whether the state is unchanged. If
// more than one request is needed, it leaves the read to the resource.
func (shortcuts) NoOpRead(ctx context.Context, c *clients.Clients, raw map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool) {
	prior, ok := deployment.FromProtocol(raw)
	remembered, alsoOK := privateKey.FromProtocol(private)
	if !ok || !alsoOK || remembered.Uncertain || c == nil || c.IEF.Client == nil {
		return ctx, nil, false
	}
	client := c.IEF.Client
	scope, id := scopeOf(prior, client), definition.StringAt(prior, "id")
	if id == "" || scope.Version == "" || definition.IsRolloutIncomplete(prior) {
		return ctx, nil, false
	}
	found, err := client.Get(ctx, scope, id)
	next = fastpath.Prefetched[*ief.Deployment]{Key: prefetchedKey(scope, id), Response: found, Err: err}.With(ctx)
	if err != nil || !definition.Equal(refreshed(scope, remembered.Rollout.withoutStaleTemplate(found, time.Now()), prior), prior) {
		return next, nil, false
	}
	return next, identityOf(id, scope.InstanceID), true
}
