package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// located puts the path in front of the text of every error about a part of
// an attribute: of those the CLI shows no more than the line on which the
// resource begins.
func located(diags diag.Diagnostics) diag.Diagnostics {
	for i, d := range diags {
		if at, ok := d.(diag.DiagnosticWithPath); ok && d.Severity() == diag.SeverityError {
			diags[i] = diag.NewAttributeErrorDiagnostic(at.Path(), d.Summary(), locate(at.Path(), d.Detail()))
		}
	}
	return diags
}

// locate is a text about the value at a path.
func locate(at path.Path, text string) string {
	if len(at.Steps()) < 2 {
		return text
	}
	return at.String() + ": " + text
}
