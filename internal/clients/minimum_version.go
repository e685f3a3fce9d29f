package clients

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// MinimumVersion is what a version of Kuscia has to have.
type MinimumVersion struct {
	versions.Feature
	// Instead is what can be done without it.
	Instead string
}

// AddUnsupported reports an error that means that this Kuscia lacks the
// operation, with the version that has it. For any other error it returns false
// and reports nothing. The version of the server is requested only in this
// case.
func (c *Clients) AddUnsupported(ctx context.Context, diags *diag.Diagnostics, summary string, err error, since MinimumVersion) bool {
	if since.What == "" || !errors.Is(err, kuscia.ErrUnsupported) {
		return false
	}
	version, versionErr := c.Kuscia.Version(ctx)
	if versionErr != nil || !version.Known() || version.Has(since.Feature) {
		return false
	}
	diags.AddError(summary, fmt.Sprintf("%s needs Kuscia %s, and this one is %s. Use a newer Kuscia, or %s.",
		since.What, since.Needs(), version, since.Instead))
	return true
}
