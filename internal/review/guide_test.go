package review_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review"
)

var firstColumn = regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|")

func guide(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../../templates/guides/reviews-in-pull-requests.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// named are the names in the first column of a part of the guide.
func named(t *testing.T, from, to string) (found []string) {
	t.Helper()
	_, part, ok := strings.Cut(guide(t), from)
	part, _, closed := strings.Cut(part, to)
	if !ok || !closed {
		t.Fatalf("the guide has no part from %q to %q", from, to)
	}
	for _, row := range firstColumn.FindAllStringSubmatch(part, -1) {
		for _, name := range strings.Split(row[1], ", ") {
			found = append(found, strings.Trim(name, "`"))
		}
	}
	return found
}

// TestGuide: the guide has a review as it is, every category and every field of
// the JSON.
func TestGuide(t *testing.T) {
	t.Parallel()
	if !strings.Contains(guide(t), "```text\n"+golden(t, "replaced-serving", "review.txt")+"```\n") {
		t.Error("the review in the guide is not that in testdata")
	}
	var categories []string
	for _, category := range review.Categories() {
		categories = append(categories, string(category))
	}
	if got := named(t, "What `-fail-on` refuses:", "## GitHub"); !slices.Equal(got, categories) {
		t.Errorf("the guide has the categories %v, want %v", got, categories)
	}

	content, err := build(t, `{"format_version":"1.2"}`).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(content, &report); err != nil {
		t.Fatal(err)
	}
	fields := named(t, "## JSON", "`action` is")
	for name := range report {
		if !slices.Contains(fields, name) {
			t.Errorf("the guide does not have the field %s", name)
		}
	}
	if len(fields) != len(report) {
		t.Errorf("the guide has the fields %v", fields)
	}
}
