package versions

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// attribute matches names of attributes, which pages show as code.
var attribute = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)

// rows are the lines of the table in the pages, the newest version first.
func rows() string {
	var lines []string
	for _, f := range slices.Backward(All()) {
		if f.Detail {
			continue
		}
		what := attribute.ReplaceAllString(f.What, "`$0`")
		if f.Evidence == Source {
			what += " \\*"
		}
		start := "| " + strings.TrimSuffix(f.Needs(), " or later") + " | "
		if last := len(lines) - 1; last >= 0 && strings.HasPrefix(lines[last], start) {
			lines[last] += "; " + what
			continue
		}
		lines = append(lines, start+what)
	}
	return strings.Join(lines, " |\n") + " |\n"
}

// TestPages: the table of versions in the pages is this one, with a mark where
// a version was read in the source, and the versions that were tried are named.
func TestPages(t *testing.T) {
	const page = "../../../../templates/index.md.tmpl"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "### Versions of Kuscia\n")
	if !found {
		t.Fatalf("%s has no section about the versions", page)
	}
	for _, want := range []string{rows(), "Tried on a real one: " + strings.Join(TriedSeries(), ", ") + "."} {
		if !strings.Contains(section, want) {
			t.Errorf("%s lacks\n%s", page, want)
		}
	}
}
