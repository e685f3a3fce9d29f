package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestAcceptanceTestsAreNamed: the name of a test that runs a CLI starts with
// TestAcc. With any other name, make test would run it without a CLI, and it
// would skip itself.
func TestAcceptanceTestsAreNamed(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || !runsCLI(f) {
				continue
			}
			found++
			if !strings.HasPrefix(f.Name.Name, "TestAcc") {
				t.Errorf("%s: %s runs a CLI, so its name has to start with TestAcc", path, f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no acceptance test found")
	}
}

// runsCLI reports whether a function calls resource.Test or ParallelTest of
// terraform-plugin-testing.
func runsCLI(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := call.X.(*ast.Ident)
		if ok && x.Name == "resource" && (call.Sel.Name == "Test" || call.Sel.Name == "ParallelTest") {
			found = true
		}
		return !found
	})
	return found
}
