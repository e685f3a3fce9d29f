package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
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
	eachTest(t, "..", func(path string, test *ast.FuncDecl) {
		skips := false
		ast.Inspect(test, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch f, _ := call.Fun.(*ast.SelectorExpr); {
			case f == nil:
			case f.Sel.Name == "SkipShort":
				skips = true
			case f.Sel.Name == "ShownBy":
				for _, argument := range call.Args {
					if literal, ok := argument.(*ast.BasicLit); ok {
						skipped[strings.Trim(literal.Value, `"`)] = append(skipped[strings.Trim(literal.Value, `"`)], path+": "+test.Name.Name)
					}
				}
			}
			return true
		})
		runs[test.Name.Name] = runs[test.Name.Name] || !skips
		runs[filepath.Dir(path)+" "+test.Name.Name] = !skips
	})
	if len(skipped) == 0 {
		t.Error("no test is skipped with -short")
	}
	makefile, err := os.ReadFile("../GNUmakefile")
	raced := concurrentApplies.FindStringSubmatch(string(makefile))
	if err != nil || raced == nil {
		t.Fatalf("no CONCURRENT_APPLIES in GNUmakefile: %v", err)
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

// eachTest calls a function for every test in a folder and in those below it.
func eachTest(t *testing.T, folder string, see func(path string, test *ast.FuncDecl)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				see(path, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
