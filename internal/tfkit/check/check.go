// Package check collects problems of an object. The checks of a resource run on
// the wire type. Each issue is reported on its attribute, by the validation or
// the plan, once all values that it depends on are known.
package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Severity determines when and how an issue is reported.
type Severity int

// The severities.
const (
	// Refused: the server refuses or ignores the value. It is an error in
	// `terraform validate`.
	Refused Severity = iota
	// Unusable: the server stores the value, but the object cannot work with
	// it. It is an error in a plan, and only a warning if the object already
	// has the value, so that an existing object can be imported and planned.
	Unusable
	// Doubtful: the value works and is probably a mistake. It is a warning.
	Doubtful
)

// Issue is a problem of an object.
type Issue struct {
	At              path.Path
	Summary, Detail string
	// Needs are the values, besides the one at the path, that the issue depends
	// on.
	Needs []path.Path
	// Severity determines when and how it is reported.
	Severity Severity
	// Subject identifies the issue in the prior state, even if list indexes
	// have changed.
	Subject string
}

// text is the detail with its path.
func (i Issue) text() string { return WithPath(i.At, i.Detail) }

// WithPath adds the path to a text: for a nested value, many CLIs only show the line on which
// an element of an attribute of the resource begins.
func WithPath(at path.Path, text string) string {
	return Located(at.String(), text)
}

// Located begins a text with the path that it is about. The path takes the place of the
// attribute's name at the beginning of a text: "port is 0" becomes "ports[0].port is 0".
func Located(at, text string) string {
	name := at[strings.LastIndexByte(at, '.')+1:]
	rest, named := strings.CutPrefix(text, at)
	switch {
	case at == "" || named && strings.IndexAny(rest, ": .[") == 0:
		return text
	case strings.HasPrefix(text, name+" "):
		return at + strings.TrimPrefix(text, name)
	}
	return at + ": " + text
}

// AddClash adds a clash of two names: nothing if summary is "", an error if the clash
// is certain, and otherwise a warning.
func AddClash(diags *diag.Diagnostics, at path.Path, summary, detail string, certain bool) {
	switch {
	case summary == "":
	case certain:
		diags.AddAttributeError(at, summary, WithPath(at, detail))
	default:
		diags.AddAttributeWarning(at, summary, WithPath(at, detail))
	}
}

func (i Issue) key() string { return i.Summary + "\x00" + i.Subject }

// Checker collects issues.
type Checker struct{ found []Issue }

// Add adds an issue.
func (c *Checker) Add(s Severity, at path.Path, subject, summary, detail string, needs ...path.Path) {
	c.found = append(c.found, Issue{At: at, Summary: summary, Detail: detail, Needs: needs, Severity: s, Subject: subject})
}

// Unique reports a duplicate name. Empty names, which may be unknown, are
// ignored.
func (c *Checker) Unique(seen map[string]bool, name string, at path.Path, summary, detail string) {
	if name == "" {
		return
	}
	if seen[name] {
		c.Add(Unusable, at, name, summary, fmt.Sprintf("%s is used more than once. %s", tfvalue.Quote(name), detail))
	}
	seen[name] = true
}

// OneOf reports a value that is neither empty nor allowed.
func (c *Checker) OneOf(s Severity, at path.Path, subject, value string, allowed []string, consequence string) {
	if value == "" || slices.Contains(allowed, value) {
		return
	}
	c.Add(s, at, subject+"="+value, tfvalue.ValueNotAllowed,
		strings.TrimSuffix(tfvalue.NotAllowed(value, allowed)+" "+consequence, " "))
}

// IndependentOf returns the issues that do not depend on any of the open paths, whose
// values are unknown.
func (c *Checker) IndependentOf(open []path.Path) []Issue {
	return slices.DeleteFunc(slices.Clone(c.found), func(i Issue) bool {
		for _, need := range slices.Concat(i.Needs, []path.Path{i.At}) {
			for _, unknown := range open {
				if Within(need, unknown) {
					return true
				}
			}
		}
		return false
	})
}

// Within reports whether a path equals outer or is below it.
func Within(at, outer path.Path) bool {
	inner, prefix := at.Steps(), outer.Steps()
	return len(inner) >= len(prefix) && inner[:len(prefix)].Equal(prefix)
}

// Validate reports what is invalid in a configuration, whatever the state.
func Validate(found []Issue) diag.Diagnostics {
	var reported []report
	for _, i := range found {
		if i.Severity == Refused {
			reported = append(reported, report{i, diag.SeverityError, i.text()})
		}
	}
	return diagnostics(reported)
}

// Plan reports the errors and warnings of a plan. prior returns the issues of
// the prior state, and may be nil for none; it is called only if needed.
func Plan(found []Issue, prior func() []Issue) diag.Diagnostics {
	var reported []report
	var preexisting map[string]bool
	for _, i := range found {
		switch {
		case i.Severity == Doubtful:
			reported = append(reported, report{i, diag.SeverityWarning, i.text()})
			continue
		case i.Severity != Unusable:
			continue
		}
		if preexisting == nil && prior != nil {
			preexisting = map[string]bool{}
			for _, before := range prior() {
				preexisting[before.key()] = true
			}
		}
		if preexisting[i.key()] {
			reported = append(reported, report{i, diag.SeverityWarning, i.text() + "\n\nThe existing object already has this value, so this is a warning and not an error."})
		} else {
			reported = append(reported, report{i, diag.SeverityError, i.text()})
		}
	}
	return diagnostics(reported)
}

// report is an issue as it is reported.
type report struct {
	Issue

	as   diag.Severity
	text string
}

// diagnostics are the reports, of many of one kind the first few. Appending each
// to diag.Diagnostics compares it with all others.
func diagnostics(reported []report) (diags diag.Diagnostics) {
	folded := Fold(reported,
		func(r report) string { return r.as.String() + r.Summary },
		func(last report, others []report) report {
			last.text = WithOthers(last.text, len(others), others[0].At.String())
			return last
		})
	for _, r := range folded {
		if r.as == diag.SeverityError {
			diags.AddAttributeError(r.At, r.Summary, r.text)
		} else {
			diags.AddAttributeWarning(r.At, r.Summary, r.text)
		}
	}
	return diags
}
