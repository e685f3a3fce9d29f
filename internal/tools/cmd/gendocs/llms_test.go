//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const repository = "../../../.."

// TestLLMsIsUpToDate: the index for assistants is that of the pages.
func TestLLMsIsUpToDate(t *testing.T) {
	t.Parallel()
	want, err := llms(repository)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(repository, llmsFile))
	if err != nil || string(got) != want {
		t.Errorf("%s is not that of the pages (%v): run make generate", llmsFile, err)
	}
	for _, part := range []string{"docs/resources/serving.md", "docs/guides/first-serving.md", "`serving_id`", `resource "kuscia_serving"`} {
		if !strings.Contains(want, part) {
			t.Errorf("it has no %s", part)
		}
	}
}

// TestLLMsLine: an entry has the first sentence of a page and the required attributes.
func TestLLMsLine(t *testing.T) {
	t.Parallel()
	const page = "---\npage_title: \"kuscia_x Resource - kuscia\"\ndescription: |-\n  An object.\n  More.\n---\n\n### Required\n\n- `b` (String) B.\n- `a` (Number) A.\n\n### Optional\n\n- `c` (String) C.\n"
	got, err := llmsLine(page, "docs/resources/x.md")
	if want := "- [kuscia_x](" + llmsRoot + "docs/resources/x.md): An object. Required: `a`, `b`.\n"; err != nil || got != want {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
	if _, err := llmsLine("# no front matter\n", "x.md"); err == nil {
		t.Error("a page without a title is no error")
	}
}
