package clients

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// MinimumVersion is the first version of Kuscia that has a feature.
type MinimumVersion struct {
	// What is the subject of a sentence: "The AppImage API".
	What         string
	Major, Minor int
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
	if versionErr != nil || !version.Known() || version.AtLeast(since.Major, since.Minor) {
		return false
	}
	diags.AddError(summary, fmt.Sprintf("%s needs Kuscia v%d.%d or later, and this one is %s. Use a newer Kuscia, or %s.",
		since.What, since.Major, since.Minor, version.Raw, since.Instead))
	return true
}
