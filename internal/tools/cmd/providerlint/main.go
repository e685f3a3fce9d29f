// Command providerlint checks Go packages for rules of this project that no
// common linter implements. "make lint" runs it; "providerlint help" lists the
// rules, which internal/providerlint implements.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/providerlint"
)

func main() { multichecker.Main(providerlint.Analyzers()...) }
