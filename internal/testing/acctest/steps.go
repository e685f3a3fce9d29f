package acctest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// Planned are checks of the plan of a step.
func Planned(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

// importBlock matches an import block in an error of the CLI. The CLI does not
// wrap lines that begin with a space.
var importBlock = regexp.MustCompile(`(?s)  import \{\n.*?\n  \}\n`)

// ImportBlock returns the import block in an error of the CLI, with the label
// of the resource instead of NAME, as a user would paste it.
func ImportBlock(tb testing.TB, output, label string) string {
	tb.Helper()
	block := importBlock.FindString(output)
	if block == "" {
		tb.Fatalf("no import block in\n%s", output)
	}
	return strings.Replace(block, ".NAME\n", "."+label+"\n", 1)
}
