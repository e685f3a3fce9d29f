package providerlint

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Described wants a description on everything that a schema shows to users. The
// documentation is made of descriptions; one that is missing is a gap there.
// Packages that help tests, whose names end in test, show nothing to users.
var Described = &analysis.Analyzer{
	Name: "described",
	Doc:  "every schema, attribute, block, function and parameter has a description",
	Run:  runDescribed,
}

func runDescribed(pass *analysis.Pass) (any, error) {
	if strings.HasSuffix(pass.Pkg.Name(), "test") {
		return nil, nil
	}
	each(pass, func(literal *ast.CompositeLit) {
		t := pass.TypesInfo.TypeOf(literal)
		if !isSchemaPart(t) || !hasField(t, "Description", "MarkdownDescription") {
			return
		}
		for _, name := range []string{"Description", "MarkdownDescription"} {
			value := field(literal, name)
			if value == nil {
				continue
			}
			if text, known := constantText(pass, value); !known || strings.TrimSpace(text) != "" {
				return
			}
		}
		_, name, _ := frameworkType(t)
		pass.Reportf(literal.Pos(), "%s without a description; say what the value does, what is allowed and what the default is", name)
	})
	return nil, nil
}
