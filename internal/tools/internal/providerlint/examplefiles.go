package providerlint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ExampleFiles rejects configurations in descriptions and in documentation
// templates: an example is a file in examples/, which a test runs, and a
// template includes it with tffile. A fragment, marked by a line "# ...",
// cannot run and is allowed in a template.
var ExampleFiles = &analysis.Analyzer{
	Name: "examplefiles",
	Doc:  "examples are files in examples/, where tests run them, and not in descriptions or templates",
	Run:  runExampleFiles,
}

// templatesDir is relative to the directory of the main package.
const templatesDir = "templates"

func runExampleFiles(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			if !describes(pass, node) {
				return true
			}
			ast.Inspect(node, func(inner ast.Node) bool {
				expression, ok := inner.(ast.Expr)
				if !ok {
					return true
				}
				text, known := constantText(pass, expression)
				if known && isConfiguration(text) {
					pass.Reportf(expression.Pos(), "a configuration in a description; make it a file in examples/, which tests run")
				}
				return !known
			})
			return false
		})
	}
	if pass.Pkg.Name() == "main" && len(pass.Files) > 0 {
		dir := filepath.Dir(pass.Fset.File(pass.Files[0].Pos()).Name())
		return nil, checkTemplates(pass, filepath.Join(dir, templatesDir))
	}
	return nil, nil
}

// describes reports whether a node creates a part of a schema: a literal of
// one, of a map of attributes, or a function that returns one.
func describes(pass *analysis.Pass, node ast.Node) bool {
	switch n := node.(type) {
	case *ast.CompositeLit:
		t := pass.TypesInfo.TypeOf(n)
		return isSchemaPart(t) || isAttributeMap(t)
	case *ast.FuncDecl:
		if n.Type.Results == nil {
			return false
		}
		for _, result := range n.Type.Results.List {
			if t := pass.TypesInfo.TypeOf(result.Type); isSchemaPart(t) || isAttributeMap(t) {
				return true
			}
		}
	}
	return false
}

var (
	fenceStart = regexp.MustCompile("^\\s*```\\s*(terraform|hcl|tf)\\s*$")
	fenceEnd   = regexp.MustCompile("^\\s*```\\s*$")
	block      = regexp.MustCompile(`(?m)^\s*(resource|data|provider|module|variable|output|terraform|import|moved|removed|check|list|action|ephemeral|locals)\b[^\n]*\{\s*$`)
)

// isConfiguration reports whether a text contains a configuration.
func isConfiguration(text string) bool {
	for line := range strings.Lines(text) {
		if fenceStart.MatchString(line) {
			return true
		}
	}
	return block.MatchString(text)
}

// checkTemplates reports the configurations in a directory of templates, which
// may be missing.
func checkTemplates(pass *analysis.Pass, dir string) error {
	folder := os.DirFS(dir)
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".tmpl") {
			return err
		}
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		file := pass.Fset.AddFile(filepath.Join(dir, filepath.FromSlash(name)), -1, len(content))
		file.SetLinesForContent(content)
		for _, line := range configurations(string(content)) {
			report(pass, file.LineStart(line))
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the templates: %w", err)
	}
	return nil
}

func report(pass *analysis.Pass, at token.Pos) {
	pass.Reportf(at, `a configuration in a template; make it a file in examples/, which tests run, and write {{ tffile "examples/..." }}; a fragment has a line "# ..."`)
}

// configurations returns the lines of a template with a configuration that is
// not a fragment.
func configurations(text string) []int {
	var (
		found    []int
		start    int
		fragment bool
		number   int
	)
	for line := range strings.Lines(text) {
		number++
		switch {
		case start == 0 && fenceStart.MatchString(line):
			start, fragment = number, false
		case start > 0 && fenceEnd.MatchString(line):
			if !fragment {
				found = append(found, start)
			}
			start = 0
		case strings.TrimSpace(line) == "# ...":
			fragment = true
		}
	}
	if start > 0 {
		found = append(found, start)
	}
	return found
}
