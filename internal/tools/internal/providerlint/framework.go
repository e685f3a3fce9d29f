package providerlint

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// framework is terraform-plugin-framework, including its companion modules such
// as terraform-plugin-framework-timeouts.
const framework = "github.com/hashicorp/terraform-plugin-framework"

// frameworkType returns the name of a type of the framework, or of a pointer to
// one. ok is false for all other types.
func frameworkType(t types.Type) (pkg, name string, ok bool) {
	if pointer, isPointer := types.Unalias(t).(*types.Pointer); isPointer {
		t = pointer.Elem()
	}
	named, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed || named.Obj().Pkg() == nil {
		return "", "", false
	}
	pkg = named.Obj().Pkg().Path()
	return pkg, named.Obj().Name(), strings.HasPrefix(pkg, framework)
}

// isSchemaPackage reports whether a package of the framework defines what users
// write: resources, data sources, list resources, actions, ephemeral resources,
// identities, the provider block, functions.
func isSchemaPackage(pkg string) bool {
	switch path.Base(pkg) {
	case "schema", "identityschema", "metaschema", "function":
		return true
	}
	return false
}

// isSchemaPart reports whether a type is a part of a schema.
func isSchemaPart(t types.Type) bool {
	pkg, _, ok := frameworkType(t)
	return ok && isSchemaPackage(pkg)
}

// isAttributeMap reports whether a type is a map of schema attributes or
// blocks.
func isAttributeMap(t types.Type) bool {
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	return ok && isSchemaPart(m.Elem())
}

// constantText returns the value of a constant string expression.
func constantText(pass *analysis.Pass, expression ast.Expr) (string, bool) {
	value := pass.TypesInfo.Types[expression].Value
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}

// each calls visit for every node of a kind in the package.
func each[N ast.Node](pass *analysis.Pass, visit func(N)) {
	for _, file := range pass.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			if n, ok := node.(N); ok {
				visit(n)
			}
			return true
		})
	}
}

// calleeName returns the name of a called function, or nil.
func calleeName(function ast.Expr) *ast.Ident {
	switch f := ast.Unparen(function).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}
