// Package providerlint holds the analyzers for the rules of this project that
// matter most and that no common linter knows. Each rule is a file; the reasons
// are in internal/README.md.
package providerlint

import "golang.org/x/tools/go/analysis"

// Analyzers returns all of them.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{Described, ExampleFiles, NoSets, Secrets, ServerText, ShortFunctions, StateSaved}
}
