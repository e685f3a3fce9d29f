package providerlint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Secrets requires Sensitive or WriteOnly for an attribute whose name indicates
// a secret, so that plans do not show it.
var Secrets = &analysis.Analyzer{
	Name: "secrets",
	Doc:  "an attribute that is named like a secret is Sensitive or WriteOnly",
	Run:  runSecrets,
}

// secretWords are the last words of names of secrets. A config is the text of
// an application, which contains storage keys.
var secretWords = []string{
	"token", "tokens", "password", "passwords", "passwd", "passphrase", "secret", "secrets",
	"credential", "credentials", "key", "keys", "config", "configs",
}

// harmless are names that end in such a word but hold no secret, with the
// reason.
var harmless = map[string]string{
	"public_key": "is made to be shown",
}

// secretName reports whether the name of an attribute indicates a secret. The
// suffix of write-only attributes, wo, is ignored.
func secretName(name string) bool {
	name = strings.TrimSuffix(name, "_wo")
	if _, ok := harmless[name]; ok {
		return false
	}
	words := strings.Split(name, "_")
	return slices.Contains(secretWords, words[len(words)-1])
}

func runSecrets(pass *analysis.Pass) (any, error) {
	check := func(key, value ast.Expr) {
		name, known := constantText(pass, key)
		if !known || !secretName(name) || hidden(pass, value, nil) {
			return
		}
		pass.Reportf(key.Pos(), "attribute %q is named like a secret and is neither Sensitive nor WriteOnly", name)
	}
	each(pass, func(literal *ast.CompositeLit) {
		if !isAttributeMap(pass.TypesInfo.TypeOf(literal)) {
			return
		}
		for _, element := range literal.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				check(pair.Key, pair.Value)
			}
		}
	})
	each(pass, func(assignment *ast.AssignStmt) {
		if len(assignment.Lhs) != len(assignment.Rhs) {
			return
		}
		for i, left := range assignment.Lhs {
			if index, ok := left.(*ast.IndexExpr); ok && isAttributeMap(pass.TypesInfo.TypeOf(index.X)) {
				check(index.Index, assignment.Rhs[i])
			}
		}
	})
	return nil, nil
}

// hidden reports whether an attribute is not shown: it is a literal that is
// Sensitive or WriteOnly, or the value of a variable or function of this
// package that returns only such literals. trail are the objects being
// inspected.
func hidden(pass *analysis.Pass, value ast.Expr, trail []types.Object) bool {
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return hiddenLiteral(pass, e)
	case *ast.UnaryExpr:
		return e.Op == token.AND && hidden(pass, e.X, trail)
	case *ast.CallExpr:
		return hiddenObject(pass, calleeName(e.Fun), trail)
	case *ast.Ident:
		return hiddenObject(pass, e, trail)
	}
	return false
}

// hiddenLiteral accepts a Sensitive that is not constant as a deliberate
// decision. A number or a boolean is not a secret.
func hiddenLiteral(pass *analysis.Pass, literal *ast.CompositeLit) bool {
	_, name, _ := frameworkType(pass.TypesInfo.TypeOf(literal))
	for _, harmless := range []string{"Bool", "Int", "Float", "Number"} {
		if strings.HasPrefix(name, harmless) {
			return true
		}
	}
	for _, flag := range []string{"Sensitive", "WriteOnly"} {
		if value := field(literal, flag); value != nil {
			if v := pass.TypesInfo.Types[value].Value; v == nil || constant.BoolVal(v) {
				return true
			}
		}
	}
	return false
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

// hiddenObject inspects all possible values of a variable or function.
func hiddenObject(pass *analysis.Pass, name *ast.Ident, trail []types.Object) bool {
	if name == nil {
		return false
	}
	object := pass.TypesInfo.ObjectOf(name)
	if object == nil || slices.Contains(trail, object) {
		return false
	}
	trail = append(trail, object)
	values := valuesOf(pass, object)
	for _, value := range values {
		if !hidden(pass, value, trail) {
			return false
		}
	}
	return len(values) > 0
}

// valuesOf lists the values assigned to a variable, and the values returned by
// a function: a declared one, or one that is the value of a variable.
func valuesOf(pass *analysis.Pass, object types.Object) []ast.Expr {
	var values []ast.Expr
	add := func(value ast.Expr) {
		if function, ok := value.(*ast.FuncLit); ok {
			values = append(values, returned(function.Body)...)
			return
		}
		values = append(values, value)
	}
	each(pass, func(function *ast.FuncDecl) {
		if pass.TypesInfo.Defs[function.Name] == object && function.Body != nil {
			values = append(values, returned(function.Body)...)
		}
	})
	each(pass, func(spec *ast.ValueSpec) {
		for i, name := range spec.Names {
			if pass.TypesInfo.Defs[name] == object && i < len(spec.Values) {
				add(spec.Values[i])
			}
		}
	})
	each(pass, func(assignment *ast.AssignStmt) {
		for i, left := range assignment.Lhs {
			if name, ok := left.(*ast.Ident); ok && pass.TypesInfo.ObjectOf(name) == object && len(assignment.Lhs) == len(assignment.Rhs) {
				add(assignment.Rhs[i])
			}
		}
	})
	return values
}

// returned lists the first return values of a function.
func returned(body *ast.BlockStmt) []ast.Expr {
	var values []ast.Expr
	ast.Inspect(body, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				values = append(values, n.Results[0])
			}
		}
		return true
	})
	return values
}
