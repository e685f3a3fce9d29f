// Command providerlint checks Go packages against the rules of this project that
// no common linter knows. It is a part of "make lint"; "providerlint help" lists
// the rules, and internal/providerlint has them.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/providerlint"
)

func main() { multichecker.Main(providerlint.Analyzers()...) }
