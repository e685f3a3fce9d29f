// Package providerlint implements analyzers for the most important rules of
// this project that no common linter checks. Each rule is a file, with its reason.
package providerlint

import "golang.org/x/tools/go/analysis"

// Analyzers returns all analyzers.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{ExampleFiles, ServerText, StateSaved}
}
