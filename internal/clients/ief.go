package clients

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
)

// EdgeFabric is the access to Huawei Cloud's IEF, which is ready or not whatever
// Kuscia is.
type EdgeFabric struct {
	// Client is nil when the access cannot be used.
	Client *ief.Client
	// Unknown are the attributes of the provider block that are known only after
	// apply.
	Unknown []string
	// Missing says what is not configured; "" if nothing is missing.
	Missing string
}

// ReadyIEF returns the client of IEF. If there is none, it adds an error that
// says what is missing or not known yet. Call it where a request is about to be
// made.
func (c *Clients) ReadyIEF(diags *diag.Diagnostics) (*ief.Client, bool) {
	switch {
	case c == nil:
		diags.AddError("Provider not configured",
			"A request to IEF is needed before the provider was configured. This is a bug in the provider; please report it.")
	case c.EdgeFabric.Client != nil:
		return c.EdgeFabric.Client, true
	case len(c.EdgeFabric.Unknown) > 0:
		diags.AddError("Provider block not known yet", fmt.Sprintf(
			"IEF has to be asked for this plan, but %s in the provider \"kuscia\" block comes from something that is known only after apply.\n\n"+
				"Give the provider values that are known at plan time, or apply in two steps: first with -target for what they come from, then the rest.",
			strings.Join(c.EdgeFabric.Unknown, ", ")))
	default:
		diags.AddError("IEF not configured", c.EdgeFabric.Missing)
	}
	return nil, false
}

// CheckIEF reports in a plan that there is no access to IEF, for a resource that
// cannot be applied without. Values that are not known yet pass: an apply may
// know them.
func (c *Clients) CheckIEF(diags *diag.Diagnostics, at path.Path) {
	if c != nil && c.EdgeFabric.Client == nil && len(c.EdgeFabric.Unknown) == 0 && len(c.pending) == 0 {
		diags.AddAttributeError(at, "IEF not configured", c.EdgeFabric.Missing)
	}
}
