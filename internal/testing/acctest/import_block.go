package acctest

import (
	"regexp"
	"strings"
	"testing"
)

// importBlock is an import block that the CLI prints in an error. The CLI does
// not break lines that begin with a space.
var importBlock = regexp.MustCompile(`(?s)  import \{\n.*?\n  \}\n`)

// ImportBlock is the import block that an error of the CLI suggests, with the
// label of the resource in place of NAME. It is what a user pastes.
func ImportBlock(tb testing.TB, output, label string) string {
	tb.Helper()
	block := importBlock.FindString(output)
	if block == "" {
		tb.Fatalf("no import block in\n%s", output)
	}
	return strings.Replace(block, ".NAME\n", "."+label+"\n", 1)
}
