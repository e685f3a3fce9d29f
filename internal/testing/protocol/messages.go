package protocol

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Failer is what *testing.T, *testing.B and *rapid.T have.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Messages are diagnostics as text, one in a line.
func Messages(diagnostics []*tfprotov6.Diagnostic) string {
	lines := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		lines[i] = d.Severity.String() + ": " + d.Attribute.String() + ": " + d.Summary + ": " + d.Detail
	}
	return strings.Join(lines, "\n")
}

// Failed reports whether there is an error among diagnostics.
func Failed(diagnostics []*tfprotov6.Diagnostic) bool {
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// Check ends the test after a call that failed or said anything.
func Check(t Failer, err error, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(diagnostics) > 0 {
		t.Fatal(Messages(diagnostics))
	}
}
