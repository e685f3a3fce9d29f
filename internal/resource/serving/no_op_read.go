package serving

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/refresh"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// NoOpRead is a shortcut for the most frequent refresh: it queries the serving
// and reports whether the response certainly leaves state and private state
// unchanged, by the rules of Read. If that is not certain, the context carries
// the response, so that Read does not query again. identity is that of the
// serving.
func (shortcuts) NoOpRead(ctx context.Context, c *clients.Clients, state map[string]any, private map[string][]byte) (_ context.Context, identity map[string]string, unchanged bool) {
	var unused diag.Diagnostics
	data, plain := model.PrivateFromProtocol(private)
	if !plain && data.RefreshDigest == "" || !model.HasOnly(state, model.ServingFields) || !c.ReadyKuscia(&unused) {
		return ctx, nil, false
	}
	prior, ok := model.FromProtocol(state)
	id := prior.ServingID.ValueString()
	if !ok || id == "" {
		return ctx, nil, false
	}
	versions := listedVersions(ctx, c, id)
	switch {
	case versions.unchanged(prior, data):
		return ctx, map[string]string{"serving_id": id}, true
	case !plain:
		return ctx, nil, false
	}
	response, err := c.Kuscia.QueryServing(keepSecret(ctx, prior), id)
	from := sourcesOf(ctx, c, id)
	withResponse := fastpath.Prefetched[prefetched]{Key: id, Response: prefetched{response, from.Deployments, versions}, Err: err}.With(ctx)
	if err != nil {
		return withResponse, nil, false
	}
	next, nextData := refresh.Read(prior, response, data, from)
	nextData = versions.recordIfStable(ctx, c, next, nextData, response)
	raw, err := json.Marshal(nextData)
	if err != nil || !bytes.Equal(raw, private[string(model.PrivateKey)]) || !next.Equal(prior) || from.Deployments.Err() != nil {
		return withResponse, nil, false
	}
	return withResponse, map[string]string{"serving_id": id}, true
}

// prefetched is the response that NoOpRead passes to Read, with what belongs to
// it.
type prefetched struct {
	response *kuscia.Serving
	observer *rollout.CachedObserver
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
