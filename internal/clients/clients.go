// Package clients has what the provider passes to every resource and data
// source: the API clients, caches and records of what the run plans. It also
// formats the errors of these for users.
package clients

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Clients is passed to every resource. There is one for each configured
// provider block.
type Clients struct {
	// Kuscia is the client of the KusciaAPI; nil if the provider block has unknown
	// values, which ReadyKuscia reports.
	Kuscia *kuscia.Client
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
	// adopted are the objects that this run has adopted, and claimed those that it creates or
	// adopts, with true once that has ended.
	adopted, claimed sync.Map
	// Objects are the objects that this run knows.
	Objects RunObjects
	// referenced caches whether objects exist to which others refer.
	referenced *cache[struct{}]
	reached    struct{ kuscia, kubernetes, ief reached }
	// runValues are the values of ForThisRun; writes is returned by Writes.
	runValues sync.Map
	writes    atomic.Int64

	// IEF is the access to IEF.
	IEF IEF
	// Kubernetes is the access to the Kubernetes API in a Kuscia node.
	Kubernetes Kubernetes

	kubernetesReads kubernetesReads
	rollouts        rolloutCache
	clusterOfKuscia *cache[ClusterMatch]

	// unknown are the attributes of the provider block that are unknown.
	unknown []string
	// missing describes the missing configuration of Kuscia; "" if nothing is
	// missing.
	missing string
}

// New returns the clients for a KusciaAPI client.
func New(api *kuscia.Client) *Clients {
	c := &Clients{Kuscia: api, AppImages: NewAppImageCache(api)}
	c.Domains = NewDomainCache(api, &c.Objects)
	c.referenced = newReferenced(c)
	c.clusterOfKuscia = newCache(func(ctx context.Context, _ string) (ClusterMatch, error) { return c.compareClusters(ctx) })
	return c
}

// WithUnknownSettings returns clients that cannot be used because these
// attributes of the provider block are unknown.
func WithUnknownSettings(attributes []string) *Clients {
	return &Clients{unknown: attributes}
}

// WithoutKuscia returns clients for a provider block without a Kuscia. missing
// is the error of a resource that needs one.
func WithoutKuscia(missing string) *Clients {
	return &Clients{missing: missing}
}

// FromProviderData returns the clients from the data of a Configure request, or
// nil if the provider is not configured yet, which the framework allows during
// validation.
func FromProviderData(data any, diags *diag.Diagnostics) *Clients {
	if data == nil {
		return nil
	}
	c, ok := data.(*Clients)
	if !ok {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("A resource or data source got provider data of type %T. This is a bug in the provider; please report it.", data))
		return nil
	}
	return c
}

// ReadyKuscia reports whether Kuscia can be called. If not, it adds an error that
// names the unknown attributes of the provider block. Call it right before a
// request and not earlier: a plan without requests must work without.
func (c *Clients) ReadyKuscia(diags *diag.Diagnostics) bool {
	if c == nil {
		diags.AddError("Provider not configured",
			"A request to Kuscia was made before the provider was configured. This is a bug in the provider; please report it.")
		return false
	}
	if len(c.unknown) > 0 {
		diags.AddError("Provider block not known yet", unknownDetail(c.unknown))
		return false
	}
	if c.missing != "" {
		diags.AddError("Missing Kuscia endpoint", c.missing)
		return false
	}
	return true
}

func unknownDetail(attributes []string) string {
	return fmt.Sprintf("This plan needs requests to Kuscia, but %s in the provider \"kuscia\" block depends on a value that is known only after apply.\n\n"+
		"Use a value in the provider block that is known in the plan, such as a variable or an environment variable (KUSCIA_ENDPOINT and so on), "+
		"or apply in two steps: first with -target for the resource that provides the value, then the rest.",
		strings.Join(attributes, ", "))
}
