package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// inspectProvider calls a function with the syntax of the provider, without its tests and tools.
func inspectProvider(t *testing.T, inspect func(at token.Position, node ast.Node) bool) {
	t.Helper()
	inspectCode(t, []string{"sandbox", "testing", "tools", "testdata", "cmd"}, inspect)
}

// inspectCode is inspectProvider for all code but that in some folders.
func inspectCode(t *testing.T, without []string, inspect func(at token.Position, node ast.Node) bool) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains(without, entry.Name()) {
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
		ast.Inspect(parsed, func(node ast.Node) bool { return node == nil || inspect(files.Position(node.Pos()), node) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// constantText is the text of literals that are joined. Other parts are texts of names, or count as
// short where only some have to be known.
func constantText(expression ast.Expr, names map[string]string, some bool) (text string, ok bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident, *ast.SelectorExpr:
		text, ok = names[calledName(e)]
		return text, ok
	case *ast.BinaryExpr:
		left, isLeft := constantText(e.X, names, some)
		right, isRight := constantText(e.Y, names, some)
		return left + right, e.Op == token.ADD && (isLeft && isRight || some && (isLeft || isRight))
	}
	return "", false
}

// calledName is the last part of a name.
func calledName(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// findTitles returns the constant titles of the diagnostics of the provider, with KIND and NAME
// for the kind of an object and the name of an attribute, and where they are: arguments of the
// framework, and parameters and fields with the name "summary".
func findTitles(t *testing.T) map[string]token.Position {
	t.Helper()
	// at has the index of the title by the name of a function, after its folder if it is not exported.
	at, constants := map[string]int{}, map[string]string{"Title": "KIND", "Name": "NAME", "name": "NAME"}
	declare := func(folder, name string, fields *ast.FieldList) {
		if ast.IsExported(name) {
			folder = ""
		}
		i := 0
		for _, field := range fields.List {
			for _, parameter := range field.Names {
				if strings.EqualFold(parameter.Name, "summary") {
					at[folder+name] = i
				}
				i++
			}
		}
	}
	inspectProvider(t, func(position token.Position, node ast.Node) bool {
		folder := filepath.Dir(position.Filename)
		switch n := node.(type) {
		case *ast.FuncDecl:
			declare(folder, n.Name.Name, n.Type.Params)
		case *ast.AssignStmt:
			if closure, ok := n.Rhs[0].(*ast.FuncLit); ok {
				declare(folder, calledName(n.Lhs[0]), closure.Type.Params)
			}
		case *ast.ValueSpec:
			for i, value := range n.Values {
				if text, ok := constantText(value, nil, false); ok {
					constants[n.Names[i].Name] = text
				}
			}
		}
		return true
	})
	maps.Copy(at, map[string]int{
		"AddError": 0, "AddWarning": 0, "NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0,
		"AddAttributeError": 1, "AddAttributeWarning": 1, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
	})
	found := map[string]token.Position{}
	inspectProvider(t, func(position token.Position, node ast.Node) bool {
		var called, title ast.Expr
		var values []ast.Expr
		switch n := node.(type) {
		case *ast.CallExpr:
			called, values = n.Fun, n.Args
		case *ast.CompositeLit:
			called, values = n.Type, n.Elts
		case *ast.KeyValueExpr:
			if strings.EqualFold(calledName(n.Key), "summary") {
				title = n.Value
			}
		}
		for _, folder := range []string{"", filepath.Dir(position.Filename)} {
			if i, ok := at[folder+calledName(called)]; ok && i < len(values) {
				title = values[i]
			}
		}
		if text, ok := constantText(title, constants, false); ok && text != "" {
			found[text] = position
		}
		return true
	})
	return found
}

// TestDiagnosticTitles holds the titles of diagnostics to the form that decisions/messages.md
// describes: constant texts, apart from the kind of the object and the name of an attribute.
func TestDiagnosticTitles(t *testing.T) {
	t.Parallel()
	titles := findTitles(t)
	for title, at := range titles {
		if problem := titleProblem(title); problem != "" {
			t.Errorf("%s: the title %q %s", at, title, problem)
		}
	}
	if len(titles) < 250 {
		t.Errorf("only %d titles were found", len(titles))
	}
}

const (
	maxTitle = 60
	// properNames are the words, besides those with two capitals, that are written with a
	// capital within a title.
	properNames = "Deployment Deployments Kubernetes Kuscia KIND NAME Ingress Recreate Rollout Rollouts Services"
)

var (
	titleCharacters = regexp.MustCompile(`^[A-Z]([A-Za-z0-9_/ -]|[0-9]%)+$`)
	otherBeginning  = regexp.MustCompile(`^(The|A|An|There|It|Cannot|Could not|Failed|Error|No such) |\b(used|set|served) twice$`)
	oneCapital      = regexp.MustCompile(`^[A-Z][a-z]+$`)
)

// titleProblem is what is wrong with a title.
func titleProblem(title string) string {
	switch words := strings.Fields(title); {
	case utf8.RuneCountInString(title) > maxTitle:
		return "has more than " + strconv.Itoa(maxTitle) + " characters"
	case !titleCharacters.MatchString(title) || strings.Join(words, " ") != title:
		return "is not a phrase of letters, digits and single spaces that begins with a capital letter, without quotes and punctuation"
	case otherBeginning.MatchString(title):
		return `has another form than its like: no article, "Unable to" for what failed, "Missing", "Invalid", "Duplicate" or "Conflicting" for values`
	case slices.ContainsFunc(words[1:], func(w string) bool {
		return oneCapital.MatchString(w) && !slices.Contains(strings.Fields(properNames), w)
	}):
		return "has a word with a capital letter that is no name"
	}
	return ""
}

var (
	// attributeKey finds the names of attributes that no value has: those of two words.
	attributeKey = regexp.MustCompile(`"([a-z]+_[a-z_]+)": \{`)
	singleQuoted = regexp.MustCompile(`'%[-+# 0-9.]*[a-z]'`)
	doubleQuoted = regexp.MustCompile(`"([a-z]+_[a-z_]+)"([^:]|$)`)
)

// TestMessageQuotes holds the texts of the provider to the quotes that decisions/messages.md
// describes: double ones around names and values, none around names of attributes.
func TestMessageQuotes(t *testing.T) {
	t.Parallel()
	attributes := map[string]bool{}
	for _, found := range attributeKey.FindAllStringSubmatch(testfile.Read(t, "testing/compat/testdata/schema.json"), -1) {
		attributes[found[1]] = true
	}
	checked := 0
	inspectProvider(t, func(at token.Position, node ast.Node) bool {
		literal, _ := node.(*ast.BasicLit)
		if literal == nil {
			return true
		}
		text, _ := constantText(literal, nil, false)
		checked++
		if singleQuoted.MatchString(text) {
			t.Errorf("%s: single quotes around a value: %.200q", at, text)
		}
		if found := doubleQuoted.FindStringSubmatch(text); found != nil && attributes[found[1]] && strings.Contains(text, " ") && !strings.HasPrefix(text, "json:") {
			t.Errorf("%s: quotes around the name of an attribute: %.200q", at, text)
		}
		return true
	})
	if checked < 5000 || len(attributes) < 50 {
		t.Errorf("only %d texts and %d attributes", checked, len(attributes))
	}
}

// TestDetailLines: no text of the provider has more than six lines of the CLI before its first
// empty line, so that with its names and values it has at most eight.
func TestDetailLines(t *testing.T) {
	t.Parallel()
	const most, width = 6, 76
	checked := 0
	inspectProvider(t, func(at token.Position, node ast.Node) bool {
		if field, ok := node.(*ast.KeyValueExpr); ok {
			return !strings.Contains(calledName(field.Key), "Description") // Markdown
		}
		expression, _ := node.(ast.Expr)
		text, ok := constantText(expression, nil, true)
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
			t.Errorf("%s: %d lines: %.200q", at, lines, text)
		}
		return false
	})
	if checked < 5000 {
		t.Errorf("only %d texts", checked)
	}
}
