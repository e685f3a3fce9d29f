// Package check collects what is wrong with an object and reports it: the checks of a
// resource run on the object as it would be sent, and each issue is reported in
// validate or in the plan, on its attribute, once all values it depends on are known.
package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// Severity says when and how an issue is reported.
type Severity int

// The severities.
const (
	// Refused is for values that the server refuses or ignores. They are errors in
	// `terraform validate`.
	Refused Severity = iota
	// Unusable is for values that the server stores and that then cannot work. They
	// are errors in a plan, and only warnings if the object has them already, so that
	// an object made by hand can be imported and planned.
	Unusable
	// Doubtful is for values that work and are probably mistakes. They are warnings.
	Doubtful
)

// Issue is something wrong with an object.
type Issue struct {
	At              path.Path
	Summary, Detail string
	// Needs are the values, besides the one at the path, that must be known for the
	// issue to be certain.
	Needs []path.Path
	// Severity says when and how it is reported.
	Severity Severity
	// Subject is what the issue is about, so that the same issue is found again
	// in the prior state although lists may have changed.
	Subject string
}

// text is the detail with its place.
func (i Issue) text() string { return WithPath(i.At, i.Detail) }

// WithPath is a text about the value at a path. Of a value within an attribute the
// CLI shows no more than the line on which the resource begins, so that the text
// names it.
func WithPath(at path.Path, text string) string {
	if len(at.Steps()) < 2 {
		return text
	}
	return at.String() + ": " + text
}

// ErrorsWithPath puts the path in front of the text of every error about a part of
// an attribute.
func ErrorsWithPath(diags diag.Diagnostics) diag.Diagnostics {
	for i, d := range diags {
		if at, ok := d.(diag.DiagnosticWithPath); ok && d.Severity() == diag.SeverityError {
			diags[i] = diag.NewAttributeErrorDiagnostic(at.Path(), d.Summary(), WithPath(at.Path(), d.Detail()))
		}
	}
	return diags
}

func (i Issue) key() string { return i.Summary + "\x00" + i.Subject }

// Checker collects issues.
type Checker struct{ found []Issue }

// Add adds an issue.
func (c *Checker) Add(s Severity, at path.Path, subject, summary, detail string, needs ...path.Path) {
	c.found = append(c.found, Issue{At: at, Summary: summary, Detail: detail, Needs: needs, Severity: s, Subject: subject})
}

// Unique reports a name that was seen before. Empty names are reported
// elsewhere, and may be unknown ones.
func (c *Checker) Unique(seen map[string]bool, name string, at path.Path, summary, detail string) {
	if name == "" {
		return
	}
	if seen[name] {
		c.Add(Unusable, at, name, summary, fmt.Sprintf("%s is used more than once. %s", quoted(name), detail))
	}
	seen[name] = true
}

// OneOf reports a value that is neither empty nor allowed.
func (c *Checker) OneOf(s Severity, at path.Path, subject, value string, allowed []string, consequence string) {
	if value == "" || slices.Contains(allowed, value) {
		return
	}
	c.Add(s, at, subject+"="+value, "Value not allowed",
		fmt.Sprintf("%s is not allowed; use one of \"%s\". %s", quoted(value), strings.Join(allowed, "\", \""), consequence))
}

// maxQuoted is the length to which a text of a configuration is shown.
const maxQuoted = 200

// quoted is a text of a configuration in a message.
func quoted(text string) string {
	if len(text) <= maxQuoted {
		return strconv.Quote(text)
	}
	return strconv.Quote(strings.ToValidUTF8(text[:maxQuoted], "")) + "…"
}

// Known are the issues that do not depend on values that are still unknown, which
// are at the open paths.
func (c *Checker) Known(open []path.Path) []Issue {
	return slices.DeleteFunc(slices.Clone(c.found), func(i Issue) bool {
		for _, need := range append(i.Needs, i.At) {
			for _, gap := range open {
				if within(need, gap) {
					return true
				}
			}
		}
		return false
	})
}

// within reports whether a path is, or lies in, another one.
func within(at, outer path.Path) bool {
	inner, prefix := at.Steps(), outer.Steps()
	return len(inner) >= len(prefix) && inner[:len(prefix)].Equal(prefix)
}

// Validate reports what is refused in a configuration, whatever the state.
func Validate(found []Issue) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, i := range found {
		if i.Severity == Refused {
			diags.AddAttributeError(i.At, i.Summary, i.text())
		}
	}
	return diags
}

// Plan reports what a plan must not or should not do. prior finds the issues of
// the prior state; it is asked only where that matters.
func Plan(found []Issue, prior func() []Issue) diag.Diagnostics {
	var diags diag.Diagnostics
	var preexisting map[string]bool
	for _, i := range found {
		switch {
		case i.Severity == Doubtful:
			diags.AddAttributeWarning(i.At, i.Summary, i.text())
			continue
		case i.Severity != Unusable:
			continue
		}
		if preexisting == nil {
			preexisting = map[string]bool{}
			for _, before := range prior() {
				preexisting[before.key()] = true
			}
		}
		if preexisting[i.key()] {
			diags.AddAttributeWarning(i.At, i.Summary, i.text()+"\n\nKuscia already holds it like this, so it is not refused here.")
		} else {
			diags.AddAttributeError(i.At, i.Summary, i.text())
		}
	}
	return diags
}
