package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// titleInGuide finds what the guides show as the title of a diagnostic: in a text of the CLI, and
// the bold beginning of an item in the list of other cases.
var titleInGuide = regexp.MustCompile(`(?m)^(?:│ )?(?:Error|Warning): (.+)$`)

// ofTerraform are titles of the CLI.
var ofTerraform = []string{"Resource postcondition failed"}

// TestTitlesInGuides: each title in a guide is one that the provider shows.
func TestTitlesInGuides(t *testing.T) {
	t.Parallel()
	var known []*regexp.Regexp
	for _, title := range findTitles(t) {
		if !strings.Contains(title.text, variable) {
			known = append(known, regexp.MustCompile("(?i)^"+strings.NewReplacer("KIND", "[a-z ]+", "NAME", "[a-z_]+").Replace(regexp.QuoteMeta(title.text))+"$"))
		}
	}
	guides, err := filepath.Glob("../templates/guides/*.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, guide := range guides {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		shown := titleInGuide.FindAllStringSubmatch(string(text), -1)
		if _, cases, ok := strings.Cut(string(text), "\n## Other cases\n"); ok {
			shown = append(shown, regexp.MustCompile(`(?m)^- \*\*([^*"]+)\*\*`).FindAllStringSubmatch(cases, -1)...)
		}
		for _, found := range shown {
			checked++
			if !slices.Contains(ofTerraform, found[1]) && !slices.ContainsFunc(known, func(title *regexp.Regexp) bool { return title.MatchString(found[1]) }) {
				t.Errorf("%s: %q is no title of a diagnostic", filepath.Base(guide), found[1])
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d titles were found", checked)
	}
}
