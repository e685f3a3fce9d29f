package run

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// KusciaVersion returns the version of Kuscia, which is requested once in a run. It is unknown
// if there is no Kuscia, if it does not tell its version, or if it cannot be reached, which the
// next request reports.
func (r *Run) KusciaVersion(ctx context.Context) versions.Version {
	var unused diag.Diagnostics
	if r == nil || r.Kuscia == nil || !r.ReadyKuscia(&unused) {
		return versions.Version{}
	}
	version, err := r.Kuscia.Version(ctx)
	if err != nil {
		return versions.Version{}
	}
	return version
}

// AddUnsupported reports an error that means that this Kuscia lacks the
// operation, with the version that has it. For any other error it returns false
// and reports nothing. The version of the server is requested only in this
// case.
func (r *Run) AddUnsupported(ctx context.Context, diags *diag.Diagnostics, summary string, err error, needs versions.Need) bool {
	if needs.IsZero() || !errors.Is(err, kuscia.ErrUnsupported) {
		return false
	}
	version := r.KusciaVersion(ctx)
	if version.Has(needs.Feature) {
		return false
	}
	diags.AddError(summary, needs.Text(version))
	return true
}
