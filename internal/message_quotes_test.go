package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestMessageQuotes holds the texts of the provider to the quotes that internal/README.md
// describes: double ones around names and values, none around names of attributes.
func TestMessageQuotes(t *testing.T) {
	t.Parallel()
	schema, err := os.ReadFile("testing/compat/testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	attributes := map[string]bool{}
	for _, found := range attributeKey.FindAllStringSubmatch(string(schema), -1) {
		attributes[found[1]] = true
	}
	checked := 0
	err = inspectProvider(func(files *token.FileSet, node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			checked++
			if text, err := strconv.Unquote(literal.Value); err == nil && quoteProblem(text, attributes) != "" {
				t.Errorf("%s: %s: %.200q", files.Position(literal.Pos()), quoteProblem(text, attributes), text)
			}
		}
		return true
	})
	if err != nil || checked < 5000 || len(attributes) < 50 {
		t.Errorf("only %d texts and %d attributes: %v", checked, len(attributes), err)
	}
}

var (
	// attributeKey finds the names of attributes that no value has: those of two words.
	attributeKey = regexp.MustCompile(`"([a-z]+_[a-z_]+)": \{`)
	singleQuoted = regexp.MustCompile(`'%[-+# 0-9.]*[a-z]'`)
	doubleQuoted = regexp.MustCompile(`"([a-z]+_[a-z_]+)"([^:]|$)`)
)

// quoteProblem is what is wrong with the quotes of a text, or "".
func quoteProblem(text string, attributes map[string]bool) string {
	if singleQuoted.MatchString(text) {
		return "single quotes around a value"
	}
	if found := doubleQuoted.FindStringSubmatch(text); found != nil && attributes[found[1]] && strings.Contains(text, " ") && !strings.HasPrefix(text, "json:") {
		return "quotes around the name of an attribute"
	}
	return ""
}

// TestDetailLines: no text of the provider has more than six lines of the CLI before its first
// empty line, so that with its names and values it has at most eight.
func TestDetailLines(t *testing.T) {
	t.Parallel()
	const most, width = 6, 76
	checked := 0
	err := inspectProvider(func(files *token.FileSet, node ast.Node) bool {
		if field, ok := node.(*ast.KeyValueExpr); ok {
			name, _ := field.Key.(*ast.Ident)
			return name == nil || !strings.Contains(name.Name, "Description") // Markdown
		}
		expression, ok := node.(ast.Expr)
		if !ok {
			return true
		}
		text, ok := constantText(expression)
		if !ok {
			return true
		}
		checked++
		first, _, _ := strings.Cut(text, "\n\n")
		lines := 0
		for line := range strings.Lines(first) {
			lines += (len(line) + width - 1) / width
		}
		if lines > most {
			t.Errorf("%s: %d lines: %.200q", files.Position(node.Pos()), lines, text)
		}
		return false
	})
	if err != nil || checked < 5000 {
		t.Errorf("only %d texts: %v", checked, err)
	}
}

// constantText is the text of literals that are joined; a part that is no literal counts as short.
func constantText(expression ast.Expr) (text string, ok bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, isLeft := constantText(e.X)
		right, isRight := constantText(e.Y)
		return left + right, e.Op == token.ADD && (isLeft || isRight)
	}
	return "", false
}

// inspectProvider calls a function with the syntax of the provider, without its tests and tools.
func inspectProvider(inspect func(files *token.FileSet, node ast.Node) bool) error {
	return filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{"sandbox", "testing", "tools", "testdata", "cmd"}, entry.Name()) {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(node ast.Node) bool { return inspect(files, node) })
		return nil
	})
}
