// Package run has what one plan or apply knows: caches of what it has read, the objects that it
// plans, and those that it creates or adopts. The provider passes it to every resource and data
// source.
package run

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// Run is one plan or apply of a configured provider block.
type Run struct {
	// Clients are the connections of the provider block.
	clients.Clients
	// AppImages caches app images.
	AppImages *AppImageCache
	// Domains caches domains.
	Domains *DomainCache
	// PlannedParties are the parties of servings and KusciaDeployments that this run plans.
	PlannedParties PlannedParties
	// PlannedWorkloads are the Deployments and Rollouts that are changed in this
	// run.
	PlannedWorkloads PlannedWorkloads
	// AdoptExisting: a create adopts an existing object that is exactly as
	// configured.
	AdoptExisting bool
	// Objects are the objects that this run knows.
	Objects Objects

	// adopted are the objects that this run has adopted, and claimed those that it creates or
	// adopts, with true once that has ended.
	adopted, claimed sync.Map
	// referenced caches whether objects exist to which others refer.
	referenced      *cache[struct{}]
	reached         struct{ kuscia, kubernetes, ief reached }
	clusterOfKuscia *cache[clients.ClusterMatch]
	kubernetesReads kubernetesReads
	rollouts        rolloutCache
	// values are those of Value; writes is returned by Writes.
	values sync.Map
	writes atomic.Int64
}

// New returns a run with these connections. Without a Kuscia it has no caches of its objects.
func New(connections clients.Clients) *Run {
	r := &Run{Clients: connections}
	if r.Kuscia == nil {
		return r
	}
	r.AppImages = NewAppImageCache(r.Kuscia)
	r.Domains = NewDomainCache(r.Kuscia, &r.Objects)
	r.referenced = newReferenced(r)
	r.clusterOfKuscia = newCache(func(ctx context.Context, _ string) (clients.ClusterMatch, error) { return r.CompareClusters(ctx) })
	return r
}

// FromProviderData returns the run from the data of a Configure request, or nil if the provider is
// not configured yet, which the framework allows during validation.
func FromProviderData(data any, diags *diag.Diagnostics) *Run {
	if data == nil {
		return nil
	}
	r, ok := data.(*Run)
	if !ok {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("A resource or data source got provider data of type %T. This is a bug in the provider; please report it.", data))
		return nil
	}
	return r
}

// ClusterOfKuscia reports whether the cluster is that of the KusciaAPI, which is found out once in a
// run.
func (r *Run) ClusterOfKuscia(ctx context.Context) (clients.ClusterMatch, error) {
	return r.clusterOfKuscia.get(ctx, "")
}
