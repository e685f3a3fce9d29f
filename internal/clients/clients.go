// Package clients has the connections of a provider block: the clients of the KusciaAPI, of the
// Kubernetes API and of IEF, or why there is none.
package clients

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Clients are the connections of a provider block.
type Clients struct {
	// Kuscia is the client of the KusciaAPI; nil if the provider block has unknown
	// values, which ReadyKuscia reports.
	Kuscia *kuscia.Client
	// Kubernetes is the access to the Kubernetes API in a Kuscia node.
	Kubernetes Kubernetes
	// IEF is the access to IEF.
	IEF IEF

	// unknown are the attributes of the provider block that are unknown.
	unknown []string
	// missing describes the missing configuration of Kuscia; "" if nothing is
	// missing.
	missing string
}

// WithUnknownSettings returns clients that cannot be used because these
// attributes of the provider block are unknown.
func WithUnknownSettings(attributes []string) Clients { return Clients{unknown: attributes} }

// WithoutKuscia returns clients for a provider block without a Kuscia. missing
// is the error of a resource that needs one.
func WithoutKuscia(missing string) Clients { return Clients{missing: missing} }

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
