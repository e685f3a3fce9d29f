package serving

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// shortcuts handle the requests that Terraform sends for every serving of every plan and that
// change nothing, with the functions of the resource.
type shortcuts struct{}

var _ crud.Shortcuts = shortcuts{}

// ResourceType returns the resource type.
func (shortcuts) ResourceType() string { return servingKind.ResourceType() }

// shallow is the definition for values that the framework does not see.
var shallow = sync.OnceValue(rules.Definition.Shallow)

// FastValidate reports whether a configuration is valid, without diagnostics.
func (shortcuts) FastValidate(_ context.Context, config map[string]any) bool {
	value, ok := shallow().FromProtocol(config)
	return ok && shallow().Configurable(value) && len(rules.Validate(value)) == 0
}

// NoOpPlan reports whether a configuration plans exactly the prior state, without diagnostics.
func (shortcuts) NoOpPlan(ctx context.Context, c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	desired, ok := shallow().FromProtocol(config)
	state, alsoOK := shallow().FromProtocol(prior)
	data, plain := rules.PrivateFromProtocol(private)
	if !ok || !alsoOK || !plain || data.Imported {
		return false
	}
	p := planUpdate(ctx, c, rules.Of(desired), rules.Of(state), data)
	if len(p.replace) > 0 || !p.planned.Equal(p.prior) {
		return false
	}
	var diags diag.Diagnostics
	p.check(ctx, c, &diags)
	return len(diags) == 0
}

// NoOpRead queries the serving and reports whether the response leaves state and private state
// unchanged, by the rules of Read. Otherwise the context carries the response, so that Read does
// not query again. identity is that of the serving.
func (shortcuts) NoOpRead(ctx context.Context, c *clients.Clients, state map[string]any, private map[string][]byte) (_ context.Context, identityOf map[string]string, unchanged bool) {
	var unused diag.Diagnostics
	value, ok := shallow().FromProtocol(state)
	data, plain := rules.PrivateFromProtocol(private)
	id := definition.StringAt(value, attrServingID)
	if !ok || !plain || data.CreateOutcomeUnknown || id == "" || !c.ReadyKuscia(&unused) {
		return ctx, nil, false
	}
	prior := rules.Of(value)
	versions := listedVersions(ctx, c, id)
	if versions.unchanged(prior, data) {
		return ctx, identity(id), true
	}
	response, err := c.Kuscia.QueryServing(keepSecret(ctx, prior), id)
	from := sourcesOf(ctx, c, id)
	withResponse := fastpath.Prefetched[prefetched]{Key: id, Response: prefetched{response, from.Deployments, versions}, Err: err}.With(ctx)
	if err != nil {
		return withResponse, nil, false
	}
	next, nextData := rules.Refresh(prior, response, data, from)
	nextData = versions.recordIfStable(ctx, c, next, nextData, response)
	return withResponse, identity(id), nextData.Equal(data) && next.Equal(prior) && from.Deployments.Err() == nil
}

// prefetched is the response that NoOpRead passes to Read, with what belongs to
// it.
type prefetched struct {
	response *kuscia.Serving
	observer *rules.CachedObserver
	// versions were read before the response.
	versions sourceVersions
}

// query queries a serving, unless that was done for this request already, and
// returns the versions of the objects behind the response.
func (r *servingResource) query(ctx context.Context, id string) (*kuscia.Serving, sourceVersions, error) {
	if before, ok := fastpath.PrefetchedOf[prefetched](ctx, id); ok {
		return before.Response.response, before.Response.versions, before.Err
	}
	versions := listedVersions(ctx, r.Clients, id)
	response, err := r.Clients.Kuscia.QueryServing(ctx, id)
	return response, versions, err
}
