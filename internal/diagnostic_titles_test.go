package internal_test

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// titleArguments are the functions of the framework that make diagnostics, with the index of
// the title among their arguments.
var titleArguments = map[string]int{
	"AddError": 0, "AddWarning": 0, "NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0,
	"AddAttributeError": 1, "AddAttributeWarning": 1, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
}

// findTitles returns the constant titles of the diagnostics of the provider, with KIND and NAME
// for the kind of an object and the name of an attribute, and where they are: the arguments of
// titleArguments, and the parameters and fields with the name "summary".
func findTitles(t *testing.T) map[string]token.Position {
	t.Helper()
	at, constants := map[string]int{}, map[string]string{}
	// A closure has its name in its file, and what is not exported in its package.
	scopes := func(files *token.FileSet, node ast.Node) []string {
		file := files.Position(node.Pos()).Filename
		return []string{file, filepath.Dir(file), ""}
	}
	declare := func(scopes []string, name string, fields *ast.FieldList) {
		if ast.IsExported(name) {
			scopes = []string{""}
		}
		i := 0
		for _, field := range fields.List {
			for _, parameter := range field.Names {
				if strings.EqualFold(parameter.Name, "summary") {
					at[scopes[0]+name] = i
				}
				i++
			}
		}
	}
	declared := func(files *token.FileSet, node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl:
			declare(scopes(files, n)[1:], n.Name.Name, n.Type.Params)
		case *ast.AssignStmt:
			if closure, ok := n.Rhs[0].(*ast.FuncLit); ok {
				declare(scopes(files, n), calledName(n.Lhs[0]), closure.Type.Params)
			}
		case *ast.TypeSpec:
			if fields, ok := n.Type.(*ast.StructType); ok {
				declare(scopes(files, n)[1:], n.Name.Name, fields.Fields)
			}
		case *ast.ValueSpec:
			for i, value := range n.Values {
				if text := titleText(value, nil); text != "" {
					constants[n.Names[i].Name] = text
				}
			}
		}
		return true
	}
	found := map[string]token.Position{}
	used := func(files *token.FileSet, node ast.Node) bool {
		var title ast.Expr
		argument := func(called ast.Expr, values []ast.Expr) {
			for _, scope := range scopes(files, called) {
				if i, ok := at[scope+calledName(called)]; ok && i < len(values) {
					title = values[i]
					return
				}
			}
		}
		switch n := node.(type) {
		case *ast.CallExpr:
			argument(n.Fun, n.Args)
		case *ast.CompositeLit:
			if n.Type != nil {
				argument(n.Type, n.Elts)
			}
		case *ast.KeyValueExpr:
			if strings.EqualFold(calledName(n.Key), "summary") {
				title = n.Value
			}
		}
		if text := titleText(title, constants); text != "" {
			found[text] = files.Position(title.Pos())
		}
		return true
	}
	if err := inspectProvider(declared); err != nil {
		t.Fatal(err)
	}
	maps.Copy(at, titleArguments)
	if err := inspectProvider(used); err != nil {
		t.Fatal(err)
	}
	return found
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

// titleText is the text of a title, or "" if it is not constant.
func titleText(expression ast.Expr, constants map[string]string) string {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.Ident:
		return constants[e.Name]
	case *ast.SelectorExpr:
		return map[string]string{"Title": "KIND", "Name": "NAME", "name": "NAME"}[e.Sel.Name]
	case *ast.BinaryExpr:
		left, right := titleText(e.X, constants), titleText(e.Y, constants)
		if left != "" && right != "" {
			return left + right
		}
	}
	return ""
}

// TestDiagnosticTitles holds the titles of diagnostics to the form that internal/README.md
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

// titleInGuide finds what the guides show as the title of a diagnostic: in a text of the CLI, and
// the bold beginning of an item in the list of other cases.
var titleInGuide = regexp.MustCompile(`(?m)^(?:│ )?(?:Error|Warning): (.+)$`)

// TestTitlesInGuides: each title in a guide is one that the provider shows, but for one of the CLI.
// Its beginning or its end is a text of the provider.
func TestTitlesInGuides(t *testing.T) {
	t.Parallel()
	parts := []string{"Resource postcondition failed"}
	err := inspectProvider(func(_ *token.FileSet, node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok {
			if text := titleText(literal, nil); len(text) > 8 {
				parts = append(parts, text)
			}
		}
		return true
	})
	guides, globErr := filepath.Glob("../templates/guides/*.tmpl")
	if err != nil || globErr != nil {
		t.Fatal(err, globErr)
	}
	checked := 0
	for _, guide := range guides {
		text := read(t, guide)
		shown := titleInGuide.FindAllStringSubmatch(text, -1)
		if _, cases, ok := strings.Cut(text, "\n## Other cases\n"); ok {
			shown = append(shown, regexp.MustCompile(`(?m)^- \*\*([^*"]+)\*\*`).FindAllStringSubmatch(cases, -1)...)
		}
		for _, found := range shown {
			checked++
			if !slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(found[1], part) || strings.HasSuffix(found[1], part) }) {
				t.Errorf("%s: %q is no title of a diagnostic", filepath.Base(guide), found[1])
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d titles were found", checked)
	}
}
