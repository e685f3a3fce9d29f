package providerlint

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// NoSets rejects sets in schemas: nested sets make plans slow and unreadable,
// and a list compared without regard to order behaves the same for users.
var NoSets = &analysis.Analyzer{
	Name: "nosets",
	Doc:  "no sets in schemas: lists that are compared without their order do the same",
	Run:  runNoSets,
}

// setTypes are the framework's types for sets.
var setTypes = []string{"SetAttribute", "SetNestedAttribute", "SetNestedBlock", "SetParameter", "SetReturn", "SetType"}

func runNoSets(pass *analysis.Pass) (any, error) {
	each(pass, func(literal *ast.CompositeLit) {
		if _, name, ok := frameworkType(pass.TypesInfo.TypeOf(literal)); ok && slices.Contains(setTypes, name) {
			pass.Reportf(literal.Pos(), "%s: sets make plans slow and unreadable; use a list and compare it without its order", name)
		}
	})
	return nil, nil
}
