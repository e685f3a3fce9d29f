package clients

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
)

// IEF is the access to Huawei Cloud's IEF, independent of Kuscia.
type IEF struct {
	// Client is nil if IEF cannot be used.
	Client *ief.Client
	// Unknown are the attributes of the provider block that are unknown.
	Unknown []string
	// Missing describes the missing configuration; "" if nothing is missing.
	Missing string
}

// ReadyIEF returns the client of IEF. If there is none, it adds an error that
// names what is missing or unknown. Call it right before a request.
func (c *Clients) ReadyIEF(diags *diag.Diagnostics) (*ief.Client, bool) {
	switch {
	case c == nil:
		diags.AddError("Provider not configured",
			"A request to IEF was made before the provider was configured. This is a bug in the provider; please report it.")
	case c.IEF.Client != nil:
		return c.IEF.Client, true
	case len(c.IEF.Unknown) > 0:
		diags.AddError("Provider block not known yet", fmt.Sprintf(
			"This plan needs requests to IEF, but %s in the provider \"kuscia\" block depends on a value that is known only after apply.\n\n"+
				"Use values in the provider block that are known in the plan, or apply in two steps: first with -target for the resources that provide them, then the rest.",
			strings.Join(c.IEF.Unknown, ", ")))
	default:
		diags.AddError("IEF not configured", c.IEF.Missing)
	}
	return nil, false
}

// CheckIEF reports in a plan that the provider block does not configure IEF,
// for a resource that needs it in the apply. Unknown values are accepted: they
// may be known in the apply.
func (c *Clients) CheckIEF(diags *diag.Diagnostics, at path.Path) {
	if c != nil && c.IEF.Client == nil && len(c.IEF.Unknown) == 0 && len(c.unknown) == 0 {
		diags.AddAttributeError(at, "IEF not configured", c.IEF.Missing)
	}
}
