package providerlint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// TestAnalyzers runs each analyzer on the package with its name in testdata,
// which contains valid and invalid cases; "want" comments are the expected
// reports.
func TestAnalyzers(t *testing.T) {
	t.Parallel()
	for _, analyzer := range Analyzers() {
		t.Run(analyzer.Name, func(t *testing.T) {
			t.Parallel()
			analysistest.Run(t, analysistest.TestData(), analyzer, analyzer.Name)
		})
	}
}

// TestTemplates runs the analyzer on a module with a template that contains its
// own example.
func TestTemplates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":                         "module example.test\n\ngo 1.26\n",
		"main.go":                        "package main\n\nfunc main() {}\n",
		"templates/guides/guide.md.tmpl": "# Guide\n\n```terraform\nimport {\n}\n```\n",
		"templates/notes.txt":            "```terraform\n```\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{ExampleFiles}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, root := range graph.Roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
		for _, diagnostic := range root.Diagnostics {
			at := root.Package.Fset.Position(diagnostic.Pos)
			got = append(got, fmt.Sprintf("%s:%d", strings.TrimPrefix(at.Filename, dir), at.Line))
		}
	}
	if want := []string{"/templates/guides/guide.md.tmpl:3"}; !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}
