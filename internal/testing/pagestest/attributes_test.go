package pagestest_test

import (
	"regexp"
	"strings"
	"testing"
)

// mostWords is how long the text of an attribute may be: what is longer is in a guide.
const mostWords = 60

var (
	attributeText = regexp.MustCompile("(?m)^- `([^`]+)` \\([^)]*\\) (.*)$")
	nestedLink    = regexp.MustCompile(`\(see \[below for nested schema\]\([^)]*\)\)`)
)

// tooLong returns the attributes of a page whose text has too many words.
func tooLong(page string) (names []string) {
	for _, attribute := range attributeText.FindAllStringSubmatch(page, -1) {
		if len(strings.Fields(nestedLink.ReplaceAllString(attribute[2], ""))) > mostWords {
			names = append(names, attribute[1])
		}
	}
	return names
}

// TestAttributeTexts counts the words of the text of each attribute.
func TestAttributeTexts(t *testing.T) {
	t.Parallel()
	attributes := 0
	for name, text := range pages(t) {
		attributes += len(attributeText.FindAllString(text, -1))
		if long := tooLong(text); len(long) > 0 {
			t.Errorf("%s: these have more than %d words: %s", name, mostWords, strings.Join(long, ", "))
		}
	}
	if attributes < 500 {
		t.Errorf("only %d attributes were found", attributes)
	}
}

// TestTooLong shows what TestAttributeTexts finds.
func TestTooLong(t *testing.T) {
	t.Parallel()
	page := "- `short` (String) One.\n- `long` (Attributes) " + strings.Repeat("word ", mostWords+1) + "(see [below for nested schema](#nestedatt--long))\n"
	if long := tooLong(page); len(long) != 1 || long[0] != "long" {
		t.Errorf("%q", long)
	}
}
