package pagestest_test

import (
	"regexp"
	"strings"
	"testing"
)

// beginning is the form in which a guide begins: its title, a paragraph with the question, and the
// answer in three lines; before it a translation may say that it is behind.
var beginning = regexp.MustCompile(`(?s)^---\n.*?\n---\n\n# [^\n]+\n\n(?:~> [^\n]+\n\n)?[^\n]*[?？]\n\n1\. [^\n]+\n2\. [^\n]+\n3\. [^\n]+\n\n`)

// longest is how many words a guide may have that is no reference.
const longest = 1600

// references are guides in which one searches.
var references = map[string]bool{"docs/guides/error-codes.md": true, "docs/guides/model-to-prediction.md": true}

// TestGuides: a guide begins with its question and the answer in three lines, and can be read at once.
func TestGuides(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		if !strings.HasPrefix(name, "docs/guides/") {
			continue
		}
		if !beginning.MatchString(text) {
			t.Errorf("%s does not begin with a question and the answer in three lines", name)
		}
		if words := len(strings.Fields(text)); words > longest && !references[name] {
			t.Errorf("%s has %d words, more than %d: split it", name, words, longest)
		}
	}
}
