package providerlint

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ShortFunctions rejects functions that do not fit on a screen, in the packages
// with the logic of resources.
var ShortFunctions = &analysis.Analyzer{
	Name: "shortfunctions",
	Doc:  "no function of a resource, of tfkit or of party is longer than 60 lines",
	Run:  runShortFunctions,
}

// maxLines is the maximum length of a function, from func to its last brace.
const maxLines = 60

// shortIn are the directories to which the rule applies.
var shortIn = []string{"internal/resource/", "internal/tfkit/", "internal/party"}

func runShortFunctions(pass *analysis.Pass) (any, error) {
	if !slices.ContainsFunc(shortIn, func(folder string) bool { return strings.Contains(pass.Pkg.Path(), folder) }) {
		return nil, nil
	}
	each(pass, func(function *ast.FuncDecl) {
		lines := pass.Fset.Position(function.End()).Line - pass.Fset.Position(function.Pos()).Line + 1
		if lines > maxLines {
			pass.Reportf(function.Pos(), "%s has %d lines; take it apart into functions of at most %d", function.Name.Name, lines, maxLines)
		}
	})
	return nil, nil
}
