package providerlint

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"
)

// StateSaved requires that Create and Update of a resource save the state on
// every path before they wait: otherwise an apply that ends during the wait
// would lose the created object.
//
// A wait is a call of Poll of package wait, of a method whose name begins with
// Wait and that takes a context, or of a function of the same package that waits
// without saving first. The state is saved by Set or SetAttribute of the response's state, by
// an assignment to its Raw, or by a function of the same package that receives
// the response or its state and saves on every path.
var StateSaved = &analysis.Analyzer{
	Name: "statesaved",
	Doc:  "Create and Update of a resource save the state before they wait",
	Run:  runStateSaved,
}

func runStateSaved(pass *analysis.Pass) (any, error) {
	checker := &saveChecker{pass: pass, declared: map[types.Object]*ast.FuncDecl{}, known: map[types.Object]*effect{}}
	each(pass, func(function *ast.FuncDecl) {
		if function.Body != nil {
			checker.declared[pass.TypesInfo.Defs[function.Name]] = function
		}
	})
	each(pass, func(function *ast.FuncDecl) {
		if function.Body == nil || !makesResource(pass, function) {
			return
		}
		for _, call := range checker.inspect(function.Body).waits {
			pass.Reportf(call.Pos(), "%s waits here and the state may not be saved yet; save it as soon as the server has taken the request", function.Name.Name)
		}
	})
	return nil, nil
}

// makesResource reports whether a function is Create or Update of a resource.
func makesResource(pass *analysis.Pass, function *ast.FuncDecl) bool {
	name := function.Name.Name
	if function.Recv == nil || name != "Create" && name != "Update" {
		return false
	}
	for _, parameter := range function.Type.Params.List {
		if pkg, typeName, ok := frameworkType(pass.TypesInfo.TypeOf(parameter.Type)); ok && pkg == framework+"/resource" && typeName == name+"Response" {
			return true
		}
	}
	return false
}

// effect is the effect of a function that is called before the state is saved.
type effect struct {
	// waits are the calls that wait on a path on which nothing was saved.
	waits []*ast.CallExpr
	// saves is true if the state is saved on every path to the end.
	saves bool
}

type saveChecker struct {
	pass     *analysis.Pass
	declared map[types.Object]*ast.FuncDecl
	known    map[types.Object]*effect
}

// of returns the effect of a function of this package. A recursive call has no
// effect.
func (c *saveChecker) of(object types.Object) effect {
	function, ok := c.declared[object]
	if !ok {
		return effect{}
	}
	if c.known[object] == nil {
		c.known[object] = &effect{}
		found := c.inspect(function.Body)
		c.known[object] = &found
	}
	return *c.known[object]
}

// inspect follows every path through a function. At the start of a block the
// state is saved if it is saved at the end of all preceding blocks.
func (c *saveChecker) inspect(body *ast.BlockStmt) effect {
	graph := cfg.New(body, c.mayReturn)
	before := map[*cfg.Block][]*cfg.Block{}
	savedAfter := map[*cfg.Block]bool{}
	for _, block := range graph.Blocks {
		savedAfter[block] = true
		for _, next := range block.Succs {
			before[next] = append(before[next], block)
		}
	}
	atStart := func(block *cfg.Block) bool {
		if len(before[block]) == 0 {
			return false
		}
		for _, previous := range before[block] {
			if previous.Live && !savedAfter[previous] {
				return false
			}
		}
		return block != graph.Blocks[0]
	}
	for changed := true; changed; {
		changed = false
		for _, block := range graph.Blocks {
			saved := atStart(block) || c.anySaves(block)
			if saved != savedAfter[block] {
				savedAfter[block], changed = saved, true
			}
		}
	}

	found := effect{saves: true}
	ends := false
	for _, block := range graph.Blocks {
		if !block.Live {
			continue
		}
		saved := atStart(block)
		for _, node := range block.Nodes {
			if !saved {
				found.waits = append(found.waits, c.waitsIn(node)...)
			}
			saved = saved || c.savesIn(node)
		}
		if len(block.Succs) == 0 && c.isEnd(block) {
			ends = true
			found.saves = found.saves && saved
		}
	}
	found.saves = found.saves && ends
	return found
}

// isEnd reports whether a block without a successor ends the function, not the
// program.
func (c *saveChecker) isEnd(block *cfg.Block) bool {
	if len(block.Nodes) == 0 {
		return true
	}
	if statement, ok := block.Nodes[len(block.Nodes)-1].(*ast.ExprStmt); ok {
		if call, ok := statement.X.(*ast.CallExpr); ok {
			return c.mayReturn(call)
		}
	}
	return true
}

func (c *saveChecker) anySaves(block *cfg.Block) bool {
	for _, node := range block.Nodes {
		if c.savesIn(node) {
			return true
		}
	}
	return false
}

// mayReturn reports whether a call may return.
func (c *saveChecker) mayReturn(call *ast.CallExpr) bool {
	name, ok := call.Fun.(*ast.Ident)
	return !ok || c.pass.TypesInfo.Uses[name] != types.Universe.Lookup("panic")
}

// waitsIn lists the calls in a node that wait. Those in function literals are
// included, because the literal is most likely called in this place.
func (c *saveChecker) waitsIn(node ast.Node) []*ast.CallExpr {
	var waits []*ast.CallExpr
	ast.Inspect(node, func(inner ast.Node) bool {
		if call, ok := inner.(*ast.CallExpr); ok && c.waits(call) {
			waits = append(waits, call)
		}
		return true
	})
	return waits
}

func (c *saveChecker) waits(call *ast.CallExpr) bool {
	object := c.callee(call)
	if object == nil {
		return false
	}
	if function, ok := object.(*types.Func); ok && takesContext(function.Signature()) && (isWaitMethod(function) || isPoll(function)) {
		return true
	}
	return len(c.of(object).waits) > 0
}

func isWaitMethod(function *types.Func) bool {
	return function.Signature().Recv() != nil && strings.HasPrefix(function.Name(), "Wait")
}

func isPoll(function *types.Func) bool {
	return function.Signature().Recv() == nil && function.Name() == "Poll" && path.Base(function.Pkg().Path()) == "wait"
}

func takesContext(signature *types.Signature) bool {
	if signature.Params().Len() == 0 {
		return false
	}
	named, ok := types.Unalias(signature.Params().At(0).Type()).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

// savesIn reports whether a node saves the state. Function literals and
// deferred calls are ignored, because they may run later or never.
func (c *saveChecker) savesIn(node ast.Node) bool {
	found := false
	ast.Inspect(node, func(inner ast.Node) bool {
		switch n := inner.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			found = found || c.saves(n)
		case *ast.AssignStmt:
			found = found || c.assignsState(n)
		}
		return !found
	})
	return found
}

func (c *saveChecker) saves(call *ast.CallExpr) bool {
	if method, ok := call.Fun.(*ast.SelectorExpr); ok && (method.Sel.Name == "Set" || method.Sel.Name == "SetAttribute") && c.isNewState(method.X) {
		return true
	}
	object := c.callee(call)
	if object == nil || c.declared[object] == nil {
		return false
	}
	for _, argument := range call.Args {
		if (c.isResponse(argument) || c.isNewState(argument)) && c.of(object).saves {
			return true
		}
	}
	return false
}

// assignsState finds "resp.State.Raw = ..." and "resp.State = ...".
func (c *saveChecker) assignsState(assignment *ast.AssignStmt) bool {
	if assignment.Tok != token.ASSIGN {
		return false
	}
	for _, left := range assignment.Lhs {
		selector, ok := left.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if selector.Sel.Name == "Raw" && c.isNewState(selector.X) || c.isNewState(selector) {
			return true
		}
	}
	return false
}

// isNewState reports whether an expression is the state to be written: that of
// a response, or a parameter.
func (c *saveChecker) isNewState(expression ast.Expr) bool {
	if reference, ok := expression.(*ast.UnaryExpr); ok && reference.Op == token.AND {
		expression = reference.X
	}
	pkg, name, ok := frameworkType(c.pass.TypesInfo.TypeOf(expression))
	if !ok || pkg != framework+"/tfsdk" || name != "State" {
		return false
	}
	if selector, ok := expression.(*ast.SelectorExpr); ok {
		return c.isResponse(selector.X)
	}
	_, isVariable := expression.(*ast.Ident)
	return isVariable
}

func (c *saveChecker) isResponse(expression ast.Expr) bool {
	_, name, ok := frameworkType(c.pass.TypesInfo.TypeOf(expression))
	return ok && strings.HasSuffix(name, "Response")
}

// callee returns the called function or method, or nil.
func (c *saveChecker) callee(call *ast.CallExpr) types.Object {
	if name := calleeName(call.Fun); name != nil {
		object := c.pass.TypesInfo.Uses[name]
		if function, ok := object.(*types.Func); ok {
			return function.Origin() // the declared method of a generic type
		}
		return object
	}
	return nil
}
