package serving

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// unchanged reports whether nothing has changed that a response depends on. next has the
// versions for the query that follows if something has.
func unchanged(ctx context.Context, c *run.Run, w crud.Watched[object]) (next context.Context, same bool) {
	versions := listedVersions(ctx, c, w.ID[0])
	next = fastpath.Prefetched[sourceVersions]{Key: w.ID[0], Response: versions}.With(ctx)
	return next, versions.unchanged(rules.Of(w.Planned), privateOf(w.Memory, w.Imported))
}

// versionsBefore returns the versions of a serving's objects before a query.
func versionsBefore(ctx context.Context, c *run.Run, id string) sourceVersions {
	if before, ok := fastpath.PrefetchedOf[sourceVersions](ctx, id); ok {
		return before.Response
	}
	return listedVersions(ctx, c, id)
}

// refresh returns the state and the memory that follow from a response, and records the versions
// behind it.
func refresh(ctx context.Context, c *run.Run, w crud.Watched[object], found *object, diags *diag.Diagnostics) (definition.Value, crud.Memory) {
	prior, private := rules.Of(w.Planned), privateOf(w.Memory, w.Imported)
	from := sourcesWith(ctx, c, found.deployments)
	state, next := rules.Refresh(prior, found.response, private, from)
	warnStartNotObserved(diags, w.ID[0], rules.AssumedComplete(prior, state, private, found.response.Status, from.Now, from.Deployments))
	warnRolloutUnknown(diags, w.ID[0], from.Deployments)
	versions := found.versions
	if applied, ok := w.Seen.(sourceVersions); ok {
		versions = applied
	}
	next = versions.recordIfStable(ctx, c, state, next, found)
	if state.Equal(prior) {
		return w.Planned, crud.Remember(next)
	}
	return state.Value(), crud.Remember(next)
}

// sourcesWith returns the sources for a request about a serving with these Deployments.
func sourcesWith(ctx context.Context, c *run.Run, deployments *servingstatus.CachedObserver) rules.Sources {
	return rules.Sources{Deployments: deployments, Cached: c.AppImages.Lookup(ctx), IsPartner: isPartner(ctx, c), Now: time.Now()}
}
