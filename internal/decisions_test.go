package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// decisionForm matches a decision: its title, context, decision and consequences.
var decisionForm = regexp.MustCompile(`(?s)\A# ([^\n]+)\n\n## Context\n\n\S.*\n\n## Decision\n\n\S.*\n\n## Consequences\n\n\S.*\n\z`)

// TestDecisions: every decision has the usual form, and decisions/README.md links it by its title.
func TestDecisions(t *testing.T) {
	t.Parallel()
	index := filepath.Join("decisions", readme)
	list := testfile.Read(t, index)
	files, err := filepath.Glob("decisions/*")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d decisions were found: %v", len(files), err)
	}
	for _, file := range files {
		if file == index {
			continue
		}
		title := decisionForm.FindStringSubmatch(testfile.Read(t, file))
		if title == nil {
			t.Errorf("%s does not have the form of a decision", file)
		} else if link := "\n- [" + title[1] + "](" + filepath.Base(file) + ")\n"; strings.Count(list, link) != 1 {
			t.Errorf("%s has no line %s", index, strings.TrimSpace(link))
		}
	}
}

// link matches the target of a link to a file.
var link = regexp.MustCompile(`\]\(([^):#]+)\)`)

// TestLinks: each link of a document below internal/ leads to a file.
func TestLinks(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, file := range documents(t) {
		for _, target := range link.FindAllStringSubmatch(testfile.Read(t, file), -1) {
			checked++
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), filepath.FromSlash(target[1]))); err != nil {
				t.Errorf("%s links %s: %v", file, target[1], err)
			}
		}
	}
	if checked < 80 {
		t.Errorf("only %d links were found", checked)
	}
}
