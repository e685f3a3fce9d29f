package providerlint

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ServerText wants every text of a server that is shown to have gone through the
// one function that masks secrets, bounds the length and takes out what a
// terminal obeys: httpapi.Text, or Text of an httpapi.Masker. A text of a server
// is a string field with a JSON name of a type below internal/api, requests
// aside. A field that the client cleans when it decodes the answer says so with
// the tag text:"shown".
var ServerText = &analysis.Analyzer{
	Name: "servertext",
	Doc:  "a text of an answer goes through httpapi.Text before it is shown",
	Run:  runServerText,
}

// apiPackages is the part of a path below which wire types are.
const apiPackages = "/internal/api/"

// showing are the functions that make texts which are shown, by the end of the
// path of their package; a name ends in * where all that begin so are meant.
var showing = map[string][]string{
	"fmt":                             {"*"},
	"errors":                          {"New"},
	"log":                             {"*"},
	"terraform-plugin-log/tflog":      {"*"},
	"terraform-plugin-framework/diag": {"Add*", "New*"},
	"internal/clients":                {"Add*"},
}

func runServerText(pass *analysis.Pass) (any, error) {
	if strings.Contains(pass.Pkg.Path(), "/internal/sandbox") {
		return nil, nil // it is the server
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

// shows says that a call makes a text that is shown.
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

// inspectRaw finds texts of servers in an expression. What went through the
// function is clean, and of other calls only arguments that are texts get into
// the result.
func inspectRaw(pass *analysis.Pass, expression ast.Expr, raw map[types.Object]string, found func(ast.Expr, string)) {
	ast.Inspect(expression, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			return isText(pass, n) // a comparison shows nothing of what it compares
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

// cleans says that a call is that of the one function.
func cleans(pass *analysis.Pass, call *ast.CallExpr) bool {
	name := calleeName(call.Fun)
	if name == nil || name.Name != "Text" {
		return false
	}
	function, ok := pass.TypesInfo.ObjectOf(name).(*types.Func)
	return ok && function.Pkg() != nil && strings.HasSuffix(function.Pkg().Path(), apiPackages+"httpapi")
}

// counts says that nothing of a text is in the result of a call.
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

// rawField names a field that holds a text of a server as it came.
func rawField(pass *analysis.Pass, selector *ast.SelectorExpr) (name string, raw bool) {
	selection := pass.TypesInfo.Selections[selector]
	if selection == nil || selection.Kind() != types.FieldVal || !isText(pass, selector) {
		return "", false
	}
	owner := selection.Recv()
	// The field of an embedded struct belongs to that.
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

// rawVariables are the variables that such a field is assigned to.
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
