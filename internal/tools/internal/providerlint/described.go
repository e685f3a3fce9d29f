package providerlint

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Described requires a description for every part of a schema that users see,
// because the documentation is generated from descriptions. Test helper
// packages, whose names end in test, are exempt.
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
