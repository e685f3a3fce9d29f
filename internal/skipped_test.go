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

// TestReasonsToSkip: the tests that show, with -short, what a skipped one shows exist, and run.
func TestReasonsToSkip(t *testing.T) {
	t.Parallel()
	runs, skipped := map[string]bool{}, map[string][]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			test, ok := declaration.(*ast.FuncDecl)
			if !ok || test.Recv != nil || !strings.HasPrefix(test.Name.Name, "Test") {
				continue
			}
			skips := false
			ast.Inspect(test, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					skips = skips || calledName(call.Fun) == "LeaveOut"
					for _, argument := range call.Args {
						if name, ok := constantText(argument, nil, false); ok && calledName(call.Fun) == "ShownBy" {
							skipped[name] = append(skipped[name], path+": "+test.Name.Name)
						}
					}
				}
				return true
			})
			runs[test.Name.Name] = runs[test.Name.Name] || !skips
		}
		return nil
	})
	if err != nil || len(skipped) == 0 {
		t.Fatalf("no test is skipped with -short: %v", err)
	}
	for name, by := range skipped {
		if !runs[name] {
			t.Errorf("%s does not run with -short, or does not exist: %s", name, strings.Join(by, ", "))
		}
	}
}
