package review_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// recordedPlan is a recorded plan, with all servings of those with many.
func recordedPlan(t *testing.T, name string) string {
	t.Helper()
	plan := golden(t, name, "plan.json")
	if name == "200-servings" {
		return manyServings(t, plan, 200)
	}
	return plan
}

// manyServings repeats the serving with a number in a plan.
func manyServings(t *testing.T, plan string, n int) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(plan), &all); err != nil {
		t.Fatal(err)
	}
	var changes []json.RawMessage
	for _, change := range all["resource_changes"].([]any) {
		content, err := json.Marshal(change)
		if err != nil {
			t.Fatal(err)
		}
		if change.(map[string]any)["index"] == nil {
			changes = append(changes, content)
			continue
		}
		for i := range n {
			changes = append(changes, json.RawMessage(strings.NewReplacer(
				"this[0]", fmt.Sprintf("this[%d]", i), "serving-0", fmt.Sprintf("serving-%d", i), "model-0", fmt.Sprintf("model-%d", i),
			).Replace(string(content))))
		}
	}
	all["resource_changes"] = changes
	content, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestRecordedPlans: the reviews of recorded plans are as recorded.
func TestRecordedPlans(t *testing.T) {
	t.Parallel()
	for _, name := range having(t, "plan.json") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := build(t, recordedPlan(t, name))
			compare(t, name, "review.md", report.Markdown())
			compare(t, name, "review.txt", report.Text())
			if name == "replaced-serving" {
				content, err := report.JSON()
				if err != nil {
					t.Fatal(err)
				}
				compare(t, name, "review.json", string(content))
			}
		})
	}
}
