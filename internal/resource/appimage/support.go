package appimage

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// since says from which version of Kuscia something exists.
type since struct {
	what         string
	major, minor int
	// instead is what can be done without it.
	instead string
}

var (
	apiSince  = since{what: "The AppImage API", major: 0, minor: 13, instead: "make the app image with kubectl there and refer to it by name"}
	listSince = since{what: "The list of app images", major: 1, minor: 0, instead: "name the app images one by one, in import blocks or in data.kuscia_app_image"}
)

// addError reports an error of a call. When Kuscia does not know the call at
// all, it says which version has what is missing. The version is asked for
// only then: a server that knows the call needs no question.
func addError(ctx context.Context, c *clients.Clients, diags *diag.Diagnostics, summary string, err error, s since) {
	if errors.Is(err, kuscia.ErrUnsupported) {
		version, versionErr := c.API.Version(ctx)
		if versionErr == nil && version.Known() && !version.AtLeast(s.major, s.minor) {
			diags.AddError(summary, fmt.Sprintf("%s exists since Kuscia v%d.%d, and this one is %s. "+
				"Use a newer Kuscia, or %s.", s.what, s.major, s.minor, version.Raw, s.instead))
			return
		}
	}
	clients.AddError(diags, summary, err)
}
