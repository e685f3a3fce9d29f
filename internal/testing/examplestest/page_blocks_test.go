package examplestest_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// pageBlock is what a reader copies from a page.
type pageBlock struct {
	language, text string
}

// first is the line by which the tables below name a block.
func (b pageBlock) first() string {
	for line := range strings.Lines(b.text) {
		if line = strings.TrimSpace(line); line != "# ..." {
			return line
		}
	}
	return ""
}

// isConfiguration reports whether it is one, and not commands.
func (b pageBlock) isConfiguration() bool {
	return slices.Contains([]string{"terraform", "hcl", "tf"}, b.language)
}

// copied matches the blocks that a reader copies; text and json are what programs print.
var copied = regexp.MustCompile("(?ms)^[ \t]*```(terraform|hcl|tf|shell|sh|bash|console|yaml)[^\n]*\n(.*?)^[ \t]*```[ \t]*$")

// blocksOf returns what a reader copies from a page.
func blocksOf(page string) (found []pageBlock) {
	for _, match := range copied.FindAllStringSubmatch(page, -1) {
		found = append(found, pageBlock{match[1], match[2]})
	}
	return found
}

// copiedPages are the pages from which a reader copies, by their path in the project.
func copiedPages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, root := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "examples/README.md"} {
		err := filepath.WalkDir(filepath.Join(module, root), func(file string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && filepath.Ext(file) == ".md" {
				found[strings.TrimPrefix(filepath.ToSlash(file), module+"/")] = testfile.Read(t, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// unaccounted returns the blocks of a page that are no file of an example and in no table, and the
// names in the tables of which the page has no block.
func unaccounted(page string, exampleFiles, named []string) (blocks, stale []string) {
	used := map[string]bool{}
	for _, block := range blocksOf(page) {
		first := block.first()
		if slices.Contains(named, first) {
			used[first] = true
			continue
		}
		if !slices.ContainsFunc(exampleFiles, func(file string) bool { return strings.Contains(file, strings.TrimSpace(block.text)) }) {
			blocks = append(blocks, first)
		}
	}
	for _, name := range named {
		if !used[name] {
			stale = append(stale, name)
		}
	}
	return blocks, stale
}

// TestEveryBlockIsRun: what a reader copies from a page is a file of an example, which
// TestAccListedExamples applies, or TestAccPageRuns or TestAccFromScratch run it, or it is in the list of
// those that need something else, with the reason.
func TestEveryBlockIsRun(t *testing.T) {
	t.Parallel()
	files := exampleTexts(t)
	names := map[string][]string{}
	for _, r := range slices.Concat(pageRuns, fromScratch) {
		names[r.page] = append(names[r.page], r.blocks...)
	}
	for page, reasons := range needElse {
		for first, reason := range reasons {
			names[page] = append(names[page], first)
			if len(strings.Fields(reason)) < 3 {
				t.Errorf("%s: %q has no reason", page, first)
			}
		}
	}
	all := copiedPages(t)
	for page, text := range all {
		english := strings.Replace(page, ".zh-CN.md", ".md", 1)
		blocks, stale := unaccounted(text, files, names[english])
		if page != english { // TestTranslatedCode compares both
			stale = nil
		}
		for _, first := range blocks {
			t.Errorf("%s: no test runs the block that begins with %q: make it a file in examples/, or a row of pageRuns", page, first)
		}
		for _, first := range stale {
			t.Errorf("%s: no block begins with %q", page, first)
		}
	}
	for page := range names {
		if _, exists := all[page]; !exists {
			t.Errorf("%s does not exist", page)
		}
	}
}

// TestUnaccounted shows what TestEveryBlockIsRun finds.
func TestUnaccounted(t *testing.T) {
	t.Parallel()
	page := "```shell\nterraform plan\n```\n\n```terraform\n# ...\nlabels = {}\n```\n\n```text\noutput\n```\n\n```hcl\na = 1\n```\n"
	blocks, stale := unaccounted(page, []string{"x\na = 1\n"}, []string{"labels = {}", "gone"})
	if !slices.Equal(blocks, []string{"terraform plan"}) || !slices.Equal(stale, []string{"gone"}) {
		t.Errorf("%q, %q", blocks, stale)
	}
}
