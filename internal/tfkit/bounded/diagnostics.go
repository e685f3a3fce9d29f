package bounded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

const (
	// maxDiagnostics limits the diagnostics of a response.
	maxDiagnostics = 50
	// maxWord limits what has no space, such as a quoted name; shownWord is what
	// is shown of a longer one, at its beginning.
	maxWord, shownWord = 1000, 200
	// maxKey limits a key of a map in a path.
	maxKey = 200
)

var longWord = regexp.MustCompile(fmt.Sprintf(`\S{%d}\S*`, maxWord))

// Diagnostics makes the texts of diagnostics short and printable, begins them with the path of
// their attribute, and makes the paths such that the CLI shows the line, unless it has a secret. Of
// many with the same summary, it keeps the first few. Texts with a secret are masked.
func Diagnostics(found []*tfprotov6.Diagnostic, of func() lines) []*tfprotov6.Diagnostic {
	if len(found) == 0 {
		return found
	}
	folded := check.Fold(found,
		func(d *tfprotov6.Diagnostic) string { return d.Severity.String() + d.Summary },
		func(last *tfprotov6.Diagnostic, others []*tfprotov6.Diagnostic) *tfprotov6.Diagnostic {
			merged := *last
			merged.Detail = check.WithOthers(merged.Detail, len(others), pathOf(others[0]))
			return &merged
		})
	bounded := make([]*tfprotov6.Diagnostic, 0, len(folded))
	// Errors first: a warning must not take the place of the reason of a failure.
	slices.SortStableFunc(folded, func(a, b *tfprotov6.Diagnostic) int {
		if len(folded) <= maxDiagnostics {
			return 0
		}
		return int(a.Severity) - int(b.Severity)
	})
	known := of()
	masker := known.masker()
	for i, d := range folded {
		if i == maxDiagnostics {
			last := bounded[i-1]
			last.Detail += fmt.Sprintf("\n\n%d more kinds of problems are not shown.", len(folded)-i)
			break
		}
		shown := &tfprotov6.Diagnostic{Severity: d.Severity, Summary: text(masker.Mask(d.Summary)), Detail: text(masker.Mask(check.Located(pathOf(d), d.Detail)))}
		if d.Attribute != nil && !known.haveSecret(d.Attribute) {
			shown.Attribute = sourceLine(shortPath(d.Attribute), known.linesAt)
		}
		bounded = append(bounded, shown)
	}
	return bounded
}

// text makes a text short and printable, without the secrets that can be told in it.
func text(s string) string {
	s = secrets.Masked(s)
	if len(s) > maxWord {
		s = longWord.ReplaceAllStringFunc(s, func(word string) string {
			return strings.ToValidUTF8(word[:shownWord], "") + fmt.Sprintf("… (%d characters)", utf8.RuneCountInString(word))
		})
	}
	return httpapi.Report(s)
}

// shortPath ends a path before a key of a map that is long or not printable.
func shortPath(at *tftypes.AttributePath) *tftypes.AttributePath {
	if at == nil {
		return nil
	}
	for i, step := range at.Steps() {
		if key, ok := step.(tftypes.ElementKeyString); ok && (len(key) > maxKey || httpapi.Text(string(key)) != string(key)) {
			return tftypes.NewAttributePathWithSteps(at.Steps()[:i])
		}
	}
	return at
}

func pathOf(d *tfprotov6.Diagnostic) string {
	at := shortPath(d.Attribute)
	if at == nil {
		return ""
	}
	var b strings.Builder
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&b, "[%d]", int64(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&b, "[%q]", string(step))
		}
	}
	return b.String()
}
