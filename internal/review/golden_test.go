package review_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// having are the folders of testdata with a file.
func having(t *testing.T, file string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*", file))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s: %v", file, err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

func optional(t *testing.T, name, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name, file))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(content)
}

func golden(t *testing.T, name, file string) string {
	t.Helper()
	content := optional(t, name, file)
	if content == "" {
		t.Fatalf("testdata/%s has no %s", name, file)
	}
	return content
}

func compare(t *testing.T, name, file, got string) {
	t.Helper()
	acctest.Golden(t, filepath.Join("testdata", name, file), got)
}

// TestRecordedPlans: the reviews of recorded plans are as recorded.
func TestRecordedPlans(t *testing.T) {
	t.Parallel()
	for _, name := range having(t, "plan.json") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := reviewed(t, golden(t, name, "plan.json"), golden(t, name, "plan.log"))
			compare(t, name, "review.md", report.Markdown())
			compare(t, name, "review.txt", report.Text())
			if name == "redirected-grant" {
				compare(t, name, "review.zh.md", inChinese(t, name, "markdown"))
				compare(t, name, "review.zh.txt", inChinese(t, name, "text"))
			}
			if name == "replaced-serving" {
				content, err := report.JSON()
				if err != nil {
					t.Fatal(err)
				}
				compare(t, name, "review.json", string(content))
				inGuide(t, "reviews-in-pull-requests.md", report.Text())
				chinese := inChinese(t, name, "text", "-log", filepath.Join("testdata", name, "plan.log"))
				compare(t, name, "review.zh.txt", chinese)
				inGuide(t, "reviews-in-pull-requests.zh-CN.md", chinese)
			}
		})
	}
}

// inGuide checks the review that a guide shows.
func inGuide(t *testing.T, page, review string) {
	t.Helper()
	guide, err := os.ReadFile(filepath.Join("../../templates/guides", page+".tmpl"))
	if err != nil || !strings.Contains(string(guide), "```text\n"+review+"```\n") {
		t.Errorf("%s has another review (%v)", page, err)
	}
}

// inChinese is the review of a recorded plan in Chinese.
func inChinese(t *testing.T, name, format string, options ...string) string {
	t.Helper()
	stdout, _ := program(t, 0, golden(t, name, "plan.json"), append(options, "-lang", "zh", "-format", format)...)
	return stdout
}

// allPlans are the plans of all cases, refusals and replacements by another object.
func allPlans(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, test := range cases {
		all[name] = planOf(t, test.fields, test.changes...)
	}
	for name, test := range refusals {
		if _, twice := all[name]; twice {
			t.Fatalf("two plans are %q", name)
		}
		all[name] = planOf(t, test.fields, test.changes...)
	}
	for name, test := range anotherIdentity {
		all["another identity: "+name] = planOf(t, test.fields, test.changes...)
	}
	return all
}

// TestTexts: the reviews of all cases and refusals as texts, for a reader: what a review says of harm
// is seen best beside all the others.
func TestTexts(t *testing.T) {
	t.Parallel()
	all := allPlans(t)
	var texts strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&texts, "##### %s\n\n%s\n", name, build(t, all[name]).Text())
	}
	acctest.Golden(t, filepath.Join("testdata", "reviews.txt"), texts.String())
}
