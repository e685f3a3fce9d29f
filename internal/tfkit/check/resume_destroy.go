package check

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// ResumeDestroy is the way out of an error of a plan that is due to the objects on a server.
// `terraform destroy` first plans what it is to destroy as if it were to be kept, and what is
// already gone as a create, so that such an error blocks it.
const ResumeDestroy = "If this is a destroy: it plans a create or an update first, which fails here; \"terraform destroy -refresh=false\" skips that."

// WithResumeDestroy adds ResumeDestroy to every error, once.
func WithResumeDestroy(diags diag.Diagnostics) diag.Diagnostics {
	for i, d := range diags {
		if d.Severity() != diag.SeverityError || strings.HasSuffix(d.Detail(), ResumeDestroy) {
			continue
		}
		detail := strings.TrimRight(d.Detail(), "\n") + "\n\n" + ResumeDestroy
		if at, ok := d.(diag.DiagnosticWithPath); ok {
			diags[i] = diag.NewAttributeErrorDiagnostic(at.Path(), d.Summary(), detail)
		} else {
			diags[i] = diag.NewErrorDiagnostic(d.Summary(), detail)
		}
	}
	return diags
}
