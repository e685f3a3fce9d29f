package clients

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// Kubernetes is the access to the Kubernetes API, independent of the KusciaAPI.
type Kubernetes struct {
	// Open returns the client. The first call creates it, so that a kubeconfig
	// is read only if a resource needs the cluster. nil if no cluster is
	// configured.
	Open func() (*kube.Client, error)
	// Unknown are the attributes of the provider block that are unknown.
	Unknown []string
	// Missing describes the missing configuration; "" if nothing is missing.
	Missing string
}

// HasKubernetes reports whether the provider block configures a cluster.
func (c *Clients) HasKubernetes() bool { return c != nil && c.Kubernetes.Open != nil }

// OpenKubernetes returns the client of the Kubernetes API. ReadyKubernetes reports the details
// if there is none.
func (c *Clients) OpenKubernetes() (*kube.Client, error) {
	if !c.HasKubernetes() {
		return nil, errors.New("there is no access to a cluster")
	}
	return c.Kubernetes.Open()
}

// ReadyKubernetes returns the client of the Kubernetes API. If there is none,
// it adds an error that names what is missing, invalid or unknown. Call it
// right before a request.
func (c *Clients) ReadyKubernetes(diags *diag.Diagnostics) (*kube.Client, bool) {
	switch {
	case c == nil:
		diags.AddError("Provider not configured",
			"A request to the Kubernetes API was made before the provider was configured. This is a bug in the provider; please report it.")
	case c.Kubernetes.Open != nil:
		client, err := c.Kubernetes.Open()
		if err == nil {
			return client, true
		}
		diags.AddError("Kubernetes settings cannot be used", fmt.Sprintf("kubernetes in the provider \"kuscia\" block, or its environment variables (KUSCIA_KUBE_...): %s.",
			strings.TrimRight(err.Error(), ".")))
	case len(c.Kubernetes.Unknown) > 0:
		diags.AddError("Provider block not known yet", fmt.Sprintf(
			"This plan needs requests to the Kubernetes API, but %s in the provider \"kuscia\" block depends on a value that is known only after apply.\n\n"+
				"Use values in the provider block that are known in the plan, or apply in two steps: first with -target for the resources that provide them, then the rest.",
			strings.Join(c.Kubernetes.Unknown, ", ")))
	default:
		diags.AddError("Kubernetes not configured", c.Kubernetes.Missing)
	}
	return nil, false
}

// CheckKubernetes reports in a plan that the provider block does not configure
// a cluster, for a resource that needs one in the apply. Unknown values are
// accepted: they may be known in the apply.
func (c *Clients) CheckKubernetes(diags *diag.Diagnostics, at path.Path) {
	if c != nil && c.Kubernetes.Open == nil && len(c.Kubernetes.Unknown) == 0 {
		diags.AddAttributeError(at, "Kubernetes not configured", c.Kubernetes.Missing)
	}
}
