package bounded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestDiagnostics: of many kinds of problems the errors and the first others are shown, of
// many of one kind the first few, of a long word its beginning, and no long key in a path.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	var many []*tfprotov6.Diagnostic
	for i := range maxDiagnostics + 10 {
		many = append(many, &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: fmt.Sprint("Kind ", i), Detail: "Text."})
	}
	at := tftypes.NewAttributePath().WithAttributeName("labels")
	for range 1000 {
		many = append(many, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Wrong", Detail: strings.Repeat("x", 5000),
			Attribute: at.WithElementKeyString(strings.Repeat("k", maxKey+1)),
		})
	}
	shown := Diagnostics(many, func() lines { return lines{} })
	if len(shown) != maxDiagnostics {
		t.Fatalf("%d are shown", len(shown))
	}
	first, last := shown[0], shown[len(shown)-1]
	if first.Summary != "Wrong" || !strings.Contains(first.Detail, "… (5000 characters)") || len(first.Detail) > 2*maxWord || !first.Attribute.Equal(at) {
		t.Errorf("the error is at %s: %s: %s", first.Attribute, first.Summary, first.Detail)
	}
	if !strings.Contains(last.Detail, "more kinds of problems are not shown") {
		t.Errorf("the last one says %q", last.Detail)
	}
	if fifth := shown[4].Detail; shown[5].Summary == "Wrong" || !strings.Contains(fifth, "The same problem exists 995 more times, the next at labels") {
		t.Errorf("the fifth of 1000 errors says %q, and the next is %q", fifth, shown[5].Summary)
	}
}

// TestSecretsOfOthers: a diagnostic has no secret that can be told in its text, also one that no
// configuration has, and stays readable.
func TestSecretsOfOthers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Kuscia says: login with password=hunter22 failed":            "Kuscia says: login with password=*** failed",
		"get https://u:hunter22@h/x: no such host":                    "get https://u:***@h/x: no such host",
		"sent Authorization: Bearer abc.def":                          "sent Authorization: Bearer ***",
		"password: is required. Set password_wo with Terraform 1.11.": "password: is required. Set password_wo with Terraform 1.11.",
	} {
		found := []*tfprotov6.Diagnostic{{Summary: text, Detail: text}}
		if d := Diagnostics(found, func() lines { return lines{} })[0]; d.Summary != want || d.Detail != want {
			t.Errorf("%q: %q, %q, want %q", text, d.Summary, d.Detail, want)
		}
	}
}
