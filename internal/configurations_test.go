package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// writtenOut are the files whose text is what they test.
var writtenOut = map[string]string{
	"testing/acctest/hcl.go":                           "the builders",
	"testing/acctest/hcl_test.go":                      "what the builders write",
	"provider/source_line_acc_test.go":                 "the line that the CLI shows",
	"tools/internal/providerlint/providerlint_test.go": "templates of the documentation",
	"tools/internal/sandbox/process_test.go":           "the output of the sandbox",
}

// blockHeader matches the first line of a block. Import blocks are excluded: they
// are in messages of the provider.
var blockHeader = regexp.MustCompile(`(?m)^\s*((resource|data|ephemeral|action|list) ("\w+"|%q) ("\w+"|%q)|(provider|variable|output|module) ("\w+"|%q)|terraform|locals|moved|removed) \{`)

// TestConfigurationsAreBuilt: tests write configurations with the functions of
// acctest, which quote values, and whose blocks change in one place.
func TestConfigurationsAreBuilt(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		if path == "testing/examplestest" { // what stands beside an example is written like one
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "testing/") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if header := blockHeader.FindString(text); err == nil && header != "" {
				found[path] = true
				if writtenOut[path] == "" {
					t.Errorf("%s: write %q with the functions of internal/testing/acctest/hcl.go", files.Position(n.Pos()), strings.TrimSpace(header))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range writtenOut {
		if !found[path] {
			t.Errorf("%s has no configuration as text any more: remove it from the list", path)
		}
	}
}
