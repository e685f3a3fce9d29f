//go:build unix

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// mutant is a change of the product.
type mutant struct {
	ID      int    `json:"id"`
	Package string `json:"package"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Change  string `json:"change"`
}

// finder finds the mutants of a file and adds all of them to its text, each behind a
// condition. Only one is active at a time, so that a mutant of an expression has its
// operands without mutants.
type finder struct {
	pkg  *packages.Package
	text string
	base token.Pos
	// add returns the number of a new mutant.
	add   func(at token.Pos, change string) int
	wraps []wrap
}

// otherOperator has the negation of an operator, or its neighbour.
var otherOperator = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// visit is called for a node and then for those in it, unless it returns false.
func (f *finder) visit(node ast.Node, stack []ast.Node) bool {
	switch n := node.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType, *ast.StructType, *ast.InterfaceType, *ast.FuncType, *ast.MapType, *ast.ChanType:
		return false
	case *ast.IfStmt:
		f.condition(n.Cond, "true", "false")
	case *ast.ForStmt:
		if n.Cond != nil {
			f.condition(n.Cond, "false") // without end is a time limit, which says little
		}
	case *ast.CaseClause:
		if s, ok := stack[len(stack)-2].(*ast.SwitchStmt); ok && s.Tag == nil {
			for _, e := range n.List {
				f.condition(e, "true", "false")
			}
		}
	case *ast.ReturnStmt:
		f.results(n, stack)
	case ast.Stmt:
		f.statement(n, stack[len(stack)-1])
	case ast.Expr:
		if f.pkg.TypesInfo.Types[n].Value != nil {
			f.constant(n, stack[len(stack)-1])
			return false
		}
		if b, ok := n.(*ast.BinaryExpr); ok {
			f.binary(b)
		}
	}
	return true
}

// condition replaces a condition by others. That of a comparison is in binary.
func (f *finder) condition(e ast.Expr, others ...string) {
	if !f.isBool(e) {
		return
	}
	for _, other := range others {
		f.instead(e, other)
	}
	if _, ok := ast.Unparen(e).(*ast.BinaryExpr); !ok {
		f.wrap(e, f.of(e)+" is negated", "(mutant__.On(%d) != (", "))")
	}
}

func (f *finder) binary(b *ast.BinaryExpr) {
	if other, ok := otherOperator[b.Op]; ok && f.isBool(b) {
		f.instead(b, f.operand(b.X)+" "+other.String()+" "+f.operand(b.Y))
	}
	if b.Op == token.ADD || b.Op == token.SUB {
		f.sign(b, b.Y)
	}
}

// operand is the text of an operand for any operator.
func (f *finder) operand(e ast.Expr) string {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return "(" + f.of(e) + ")"
	}
	return f.of(e)
}

// sign makes a sum a difference, and the reverse.
func (f *finder) sign(sum ast.Node, operand ast.Expr) {
	basic, ok := f.pkg.TypesInfo.TypeOf(operand).Underlying().(*types.Basic)
	if typed, known := f.typed(operand); ok && known && basic.Info()&(types.IsInteger|types.IsFloat) != 0 {
		f.wrap(operand, f.of(sum)+" with the other sign", "mutant__.Sign"+typed+"(%d, ", ")")
	}
}

// constant changes an integer written as digits, with the operators around it. It must
// not be where Go wants a constant, nor a duration, of which a nanosecond is no part.
func (f *finder) constant(e ast.Expr, parent ast.Node) {
	switch p := parent.(type) {
	case *ast.CaseClause:
		return
	case *ast.KeyValueExpr:
		if p.Key == e {
			return
		}
	}
	digits := false
	ast.Inspect(e, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		digits = digits || ok && l.Kind == token.INT
		return true
	})
	basic, ok := f.pkg.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	if types.TypeString(f.pkg.TypesInfo.TypeOf(e), nil) == "time.Duration" {
		return
	}
	if typed, known := f.typed(e); digits && ok && known && basic.Info()&types.IsInteger != 0 {
		f.wrap(e, f.of(e)+" is one more", "mutant__.Int"+typed+"(%d, ", ")")
		f.add(e.Pos(), f.of(e)+" is one less") // the next number
	}
}

// typed returns the type argument of a call with an expression: a constant that is only
// digits has the type that its place gives it.
func (f *finder) typed(e ast.Expr) (argument string, known bool) {
	of := f.pkg.TypesInfo.Types[e]
	if basic, ok := of.Type.(*types.Basic); ok && of.Value != nil {
		return "[" + basic.Name() + "]", basic.Info()&types.IsUntyped == 0
	}
	_, parameter := of.Type.(*types.TypeParam)
	known = of.Value == nil && !parameter
	ast.Inspect(e, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok {
			switch object := f.pkg.TypesInfo.Uses[ident].(type) {
			case *types.Const:
				known = known || types.Identical(object.Type(), of.Type)
			case *types.TypeName: // a conversion
				known = known || types.Identical(object.Type(), of.Type)
			}
		}
		return true
	})
	return "", known
}

// results loses errors and diagnostics, and negates constants.
func (f *finder) results(r *ast.ReturnStmt, stack []ast.Node) {
	want := f.signature(stack).Results()
	if want.Len() != len(r.Results) {
		return
	}
	for i, e := range r.Results {
		got, want := f.pkg.TypesInfo.Types[e], want.At(i).Type()
		named, _ := want.(*types.Named)
		switch {
		case got.IsNil():
		case types.Identical(want, types.Universe.Lookup("error").Type()):
			f.wrap(e, f.of(e)+" is returned as nil", "mutant__.Zero[error](%d, ", ")")
		case named != nil && named.Obj().Name() == "Diagnostics" && types.Identical(got.Type, want):
			f.wrap(e, f.of(e)+" is returned as nil", "mutant__.Zero(%d, ", ")")
		case got.Value != nil && f.isBool(e):
			f.wrap(e, f.of(e)+" is negated", "(mutant__.On(%d) != (", "))")
		}
	}
}

func (f *finder) signature(stack []ast.Node) *types.Signature {
	for _, node := range slices.Backward(stack) {
		var of types.Type
		switch n := node.(type) {
		case *ast.FuncLit:
			of = f.pkg.TypesInfo.TypeOf(n)
		case *ast.FuncDecl:
			of = f.pkg.TypesInfo.Defs[n.Name].Type()
		}
		if signature, ok := of.(*types.Signature); ok {
			return signature
		}
	}
	panic("return outside of a function")
}

// statement removes a statement of a block, unless later ones would not compile.
func (f *finder) statement(s ast.Stmt, parent ast.Node) {
	switch parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return
	}
	if clause, ok := parent.(*ast.CommClause); ok && clause.Comm == s {
		return
	}
	switch n := s.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && f.unobserved(call) {
			return
		}
	case *ast.DeferStmt:
		if f.unobserved(n.Call) {
			return
		}
	case *ast.AssignStmt:
		blank := func(e ast.Expr) bool { i, ok := e.(*ast.Ident); return ok && i.Name == "_" }
		if n.Tok == token.DEFINE || !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return !blank(e) }) {
			return
		}
		if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
			f.sign(n, n.Rhs[0])
		}
	case *ast.IncDecStmt, *ast.SendStmt:
	case *ast.BranchStmt:
		if n.Tok != token.BREAK && n.Tok != token.CONTINUE {
			return
		}
	default:
		return
	}
	f.wrap(s, f.of(s)+" is removed", "if !mutant__.On(%d) { ", " }")
}

// unobserved reports whether a call may be removed without a failed test, or not at all:
// logs, locks, for which there is the race detector, and panic, which ends a function.
func (f *finder) unobserved(call *ast.CallExpr) bool {
	callee := typeutil.Callee(f.pkg.TypesInfo, call)
	if callee == nil {
		return false
	}
	if callee.Pkg() == nil {
		return callee.Name() == "panic"
	}
	path := callee.Pkg().Path()
	return path == "sync" || path == "log" || path == "log/slog" || strings.HasSuffix(path, "/tflog")
}

func (f *finder) isBool(e ast.Expr) bool {
	basic, ok := f.pkg.TypesInfo.TypeOf(e).(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// instead is another expression for one of type bool.
func (f *finder) instead(e ast.Expr, other string) {
	if f.pkg.TypesInfo.Types[e].Value == nil {
		f.wrap(e, f.of(e)+" is "+other, "(mutant__.On(%[1]d) && ("+strings.ReplaceAll(other, "%", "%%")+") || !mutant__.On(%[1]d) && (", "))")
	}
}

func (f *finder) of(n ast.Node) string { return f.text[n.Pos()-f.base : n.End()-f.base] }

// wrap adds a mutant: text before and after a node.
func (f *finder) wrap(n ast.Node, change, before, after string) {
	f.wraps = append(f.wraps, wrap{int(n.Pos() - f.base), int(n.End() - f.base), fmt.Sprintf(before, f.add(n.Pos(), change)), after})
}
