package versions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// All texts with a version of Kuscia, in messages and in pages, come from here. Pages also say
// how a bound is known.

// Needs are the versions that have the feature, for a message: "v0.13 or later".
func (f Feature) Needs() string { return f.First.fromOn() }

// Before are the versions that do not have the feature, for a message: "before v0.13".
func (f Feature) Before() string { return f.First.before() }

// NeedsInPages is Needs for a page.
func (f Feature) NeedsInPages() string { return f.Needs() + f.untried() }

// BeforeInPages is Before for a page.
func (f Feature) BeforeInPages() string { return f.Before() + f.untried() }

func (f Feature) untried() string {
	if f.Evidence == Source {
		return " (read in its source, not tried)"
	}
	return ""
}

// needsInChinese is NeedsInPages for a page in Chinese.
func (f Feature) needsInChinese() string {
	text := f.First.fromOnInChinese()
	if f.Evidence == Source {
		text += "，依据源代码，未经试用"
	}
	return text
}

// Sentence says which versions have the feature, for a page.
func (f Feature) Sentence() string {
	return fmt.Sprintf("%s needs Kuscia %s.", f.What, f.NeedsInPages())
}

// Message says which versions have the feature, for a message.
func (f Feature) Message() string { return fmt.Sprintf("%s needs Kuscia %s.", f.What, f.Needs()) }

// Pages are the texts for the templates of pages, which name them in a comment:
// <!-- kuscia needs app-image-list -->.
func Pages() map[string]string {
	texts := map[string]string{
		"kuscia oldest": tried[0], "kuscia newest": tried[len(tried)-1], "kuscia tried": strings.Join(tried, ", "), "kuscia features": table(),
	}
	for _, f := range features {
		texts["kuscia needs "+f.Name], texts["kuscia before "+f.Name] = f.NeedsInPages(), f.BeforeInPages()
		texts["kuscia zh needs "+f.Name] = f.needsInChinese()
	}
	return texts
}

// attribute matches names of attributes, which pages show as code.
var attribute = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)

// table is what a user may choose by the version that has it first, the newest first. What was
// not tried has an asterisk.
func table() string {
	lines := []string{"| Kuscia | since then |", "|---|---|"}
	for _, f := range slices.Backward(All()) {
		if f.Detail {
			continue
		}
		what := attribute.ReplaceAllString(f.What, "`$0`")
		if f.Evidence == Source {
			what += " \\*"
		}
		start := "| " + strings.TrimSuffix(f.Needs(), " or later") + " | "
		if last := len(lines) - 1; strings.HasPrefix(lines[last], start) {
			lines[last] = strings.TrimSuffix(lines[last], " |") + "; " + what + " |"
			continue
		}
		lines = append(lines, start+what+" |")
	}
	return strings.Join(lines, "\n")
}
