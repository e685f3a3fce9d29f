package pagestest_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// formLink names the form that a page opens.
var formLink = regexp.MustCompile(`/issues/new\?template=([a-z.]+)`)

// form is what GitHub needs of a form for issues.
type form struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Body        []struct {
		Type       string         `yaml:"type"`
		ID         string         `yaml:"id"`
		Attributes map[string]any `yaml:"attributes"`
	} `yaml:"body"`
}

// problems are what GitHub refuses, or what lets a reader paste a secret.
func (f form) problems() (found []string) {
	if f.Name == "" || f.Description == "" || len(f.Body) == 0 {
		found = append(found, "no name, description or body")
	}
	var ids []string
	for _, field := range f.Body {
		switch {
		case !slices.Contains([]string{"markdown", "input", "textarea", "dropdown", "checkboxes"}, field.Type):
			found = append(found, "type "+field.Type)
		case field.Type == "markdown" && field.Attributes["value"] == nil, field.Type != "markdown" && field.Attributes["label"] == nil:
			found = append(found, "a field without a text")
		case field.Type != "markdown" && (field.ID == "" || slices.Contains(ids, field.ID)):
			found = append(found, "id "+field.ID)
		}
		ids = append(ids, field.ID)
	}
	return found
}

// TestForms: the forms that pages open exist, and GitHub can show them.
func TestForms(t *testing.T) {
	t.Parallel()
	opened := map[string]bool{}
	for _, text := range pages(t) {
		for _, link := range formLink.FindAllStringSubmatch(text, -1) {
			opened[link[1]] = true
		}
	}
	if len(opened) < 3 {
		t.Errorf("pages open only %v", opened)
	}
	for name := range opened {
		text := testfile.Read(t, filepath.Join(module, ".github", "ISSUE_TEMPLATE", name))
		var f form
		if err := yaml.Unmarshal([]byte(text), &f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, problem := range f.problems() {
			t.Errorf("%s: %s", name, problem)
		}
		if !regexp.MustCompile(`(?i)do not paste tokens, state files or plans`).MatchString(text) {
			t.Errorf("%s does not warn of secrets", name)
		}
	}
}
