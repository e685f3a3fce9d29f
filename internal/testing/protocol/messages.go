package protocol

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Failer has methods of *testing.T, *testing.B and *rapid.T.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Messages formats diagnostics, one per line.
func Messages(diagnostics []*tfprotov6.Diagnostic) string {
	lines := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		lines[i] = d.Severity.String() + ": " + d.Attribute.String() + ": " + d.Summary + ": " + d.Detail
	}
	return strings.Join(lines, "\n")
}

// Failed reports whether the diagnostics contain an error.
func Failed(diagnostics []*tfprotov6.Diagnostic) bool {
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// NoError ends the test with an error, if there is one.
func NoError(t Failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Check ends the test if a call failed or returned diagnostics.
func Check(t Failer, err error, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	NoError(t, err)
	if len(diagnostics) > 0 {
		t.Fatal(Messages(diagnostics))
	}
}

// Says checks that a text, for example of diagnostics, contains all of the parts. what
// names the text.
func Says(tb testing.TB, what, text string, parts ...string) {
	tb.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			tb.Errorf("%s does not say %q: %s", what, part, text)
		}
	}
}
