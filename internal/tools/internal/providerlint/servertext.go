package providerlint

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ServerText requires that every server text that is shown passes through the
// function that masks secrets, limits the length and removes terminal control
// sequences: httpapi.Text, or Text of an httpapi.Masker. A server text is a
// string field with a JSON name, of a type below internal/api other than
// requests. A field that the client already cleans during decoding has the tag
// text:"shown".
var ServerText = &analysis.Analyzer{
	Name: "servertext",
	Doc:  "a text of a response goes through httpapi.Text before it is shown",
	Run:  runServerText,
}

// apiPackages is the path element of the packages with API types.
const apiPackages = "/internal/api/"

// showing are the functions whose arguments are shown, keyed by the end of
// their package path; a name that ends in * is a prefix.
var showing = map[string][]string{
	"fmt":                             {"*"},
	"errors":                          {"New"},
	"log":                             {"*"},
	"terraform-plugin-log/tflog":      {"*"},
	"terraform-plugin-framework/diag": {"Add*", "New*"},
	"internal/message":                {"Add*"},
}

func runServerText(pass *analysis.Pass) (any, error) {
	if strings.Contains(pass.Pkg.Path(), "/internal/sandbox") {
		return nil, nil // the sandbox is the server
	}
	raw := rawVariables(pass)
	reported := map[ast.Node]bool{}
	each(pass, func(call *ast.CallExpr) {
		if !shows(pass, call) {
			return
		}
		for _, argument := range call.Args {
			inspectRaw(pass, argument, raw, func(found ast.Expr, name string) {
				if !reported[found] {
					reported[found] = true
					pass.Reportf(found.Pos(), "%s is a text of a server; show it through httpapi.Text", name)
				}
			})
		}
	})
	return nil, nil
}

// shows reports whether a call creates a text that is shown.
func shows(pass *analysis.Pass, call *ast.CallExpr) bool {
	name := calleeName(call.Fun)
	if name == nil {
		return false
	}
	function, ok := pass.TypesInfo.ObjectOf(name).(*types.Func)
	if !ok || function.Pkg() == nil {
		return false
	}
	for end, patterns := range showing {
		if pkg := function.Pkg().Path(); pkg != end && !strings.HasSuffix(pkg, "/"+end) {
			continue
		}
		for _, pattern := range patterns {
			if prefix, open := strings.CutSuffix(pattern, "*"); name.Name == pattern || open && strings.HasPrefix(name.Name, prefix) {
				return true
			}
		}
	}
	return false
}

// inspectRaw finds server texts in an expression. The results of the cleaning
// function are excluded; of other calls only string arguments are inspected,
// because only they can be part of the result.
func inspectRaw(pass *analysis.Pass, expression ast.Expr, raw map[types.Object]string, found func(ast.Expr, string)) {
	ast.Inspect(expression, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			return isText(pass, n) // a comparison does not show its operands
		case *ast.CallExpr:
			return !cleans(pass, n) && !counts(pass, n)
		case *ast.SelectorExpr:
			if name, is := rawField(pass, n); is {
				found(n, name)
				return false
			}
		case *ast.Ident:
			if name, is := raw[pass.TypesInfo.ObjectOf(n)]; is {
				found(n, name)
			}
		}
		return true
	})
}

// cleans reports whether a call is that of the cleaning function.
func cleans(pass *analysis.Pass, call *ast.CallExpr) bool {
	name := calleeName(call.Fun)
	if name == nil || name.Name != "Text" {
		return false
	}
	function, ok := pass.TypesInfo.ObjectOf(name).(*types.Func)
	return ok && function.Pkg() != nil && strings.HasSuffix(function.Pkg().Path(), apiPackages+"httpapi")
}

// counts reports whether the result of a call contains no part of a text.
func counts(pass *analysis.Pass, call *ast.CallExpr) bool {
	basic, ok := pass.TypesInfo.TypeOf(call).(*types.Basic)
	return ok && basic.Info()&types.IsString == 0
}

func isText(pass *analysis.Pass, expression ast.Expr) bool {
	t := pass.TypesInfo.TypeOf(expression)
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// rawField returns the name of a field with an unmodified server text.
func rawField(pass *analysis.Pass, selector *ast.SelectorExpr) (name string, raw bool) {
	selection := pass.TypesInfo.Selections[selector]
	if selection == nil || selection.Kind() != types.FieldVal || !isText(pass, selector) {
		return "", false
	}
	owner := selection.Recv()
	// The field of an embedded struct belongs to that struct.
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		owner = structOf(owner).Field(i).Type()
	}
	named, ok := types.Unalias(dereferenced(owner)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.Contains(named.Obj().Pkg().Path(), apiPackages) {
		return "", false
	}
	if strings.HasSuffix(named.Obj().Name(), "Request") {
		return "", false
	}
	tag := reflect.StructTag(structOf(owner).Tag(selection.Index()[len(selection.Index())-1]))
	if tag.Get("json") == "" || tag.Get("text") == "shown" {
		return "", false
	}
	return named.Obj().Name() + "." + selector.Sel.Name, true
}

func dereferenced(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

func structOf(t types.Type) *types.Struct {
	structure, _ := dereferenced(t).Underlying().(*types.Struct)
	return structure
}

// rawVariables returns the variables to which such a field is assigned.
func rawVariables(pass *analysis.Pass) map[types.Object]string {
	raw := map[types.Object]string{}
	each(pass, func(assignment *ast.AssignStmt) {
		if len(assignment.Lhs) != len(assignment.Rhs) {
			return
		}
		for i, right := range assignment.Rhs {
			selector, isSelector := ast.Unparen(right).(*ast.SelectorExpr)
			left, isName := assignment.Lhs[i].(*ast.Ident)
			if !isSelector || !isName {
				continue
			}
			if name, is := rawField(pass, selector); is && pass.TypesInfo.ObjectOf(left) != nil {
				raw[pass.TypesInfo.ObjectOf(left)] = name
			}
		}
	})
	return raw
}
