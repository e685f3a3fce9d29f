// Command houserules checks Go packages against the rules of this project that
// no common linter knows. It is a part of "make lint"; "houserules help" lists
// the rules, and internal/houserules has them.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/houserules"
)

func main() { multichecker.Main(houserules.Analyzers()...) }
