package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// concurrentApplies finds the names and the folder of the tests in CONCURRENT_APPLIES.
var concurrentApplies = regexp.MustCompile(`(?m)^CONCURRENT_APPLIES := -run '\^\(([\w|]+)\)\$\$' \./(\S+)$`)

// TestReasonsToSkip: the tests that show, with -short, what a skipped one shows exist, and run; so
// do those that make test runs with the race detector, in their folder.
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
					skips = skips || calledName(call.Fun) == "SkipShort"
					for _, argument := range call.Args {
						if name, ok := constantText(argument, nil, false); ok && calledName(call.Fun) == "ShownBy" {
							skipped[name] = append(skipped[name], path+": "+test.Name.Name)
						}
					}
				}
				return true
			})
			runs[test.Name.Name] = runs[test.Name.Name] || !skips
			runs[filepath.Dir(path)+" "+test.Name.Name] = !skips
		}
		return nil
	})
	raced := concurrentApplies.FindStringSubmatch(read(t, "../GNUmakefile"))
	if err != nil || raced == nil || len(skipped) == 0 {
		t.Fatalf("no CONCURRENT_APPLIES in GNUmakefile, or no test is skipped with -short: %v", err)
	}
	for name := range strings.SplitSeq(raced[1], "|") {
		in := filepath.Join("..", raced[2]) + " " + name
		skipped[in] = append(skipped[in], "GNUmakefile: CONCURRENT_APPLIES")
	}
	for name, by := range skipped {
		if !runs[name] {
			t.Errorf("%s does not run with -short, or does not exist: %s", name, strings.Join(by, ", "))
		}
	}
}
