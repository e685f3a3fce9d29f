package acctest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

var update = flag.Bool("update", false, "write the files that tests compare")

// Updating reports whether tests are to write the files that they compare.
func Updating() bool { return *update }

// Record writes a file with -update, and otherwise does nothing.
func Record(tb testing.TB, file, text string) {
	tb.Helper()
	if Updating() {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

// Golden compares a text with a file, which -update writes.
func Golden(tb testing.TB, file, text string) {
	tb.Helper()
	Record(tb, file, text)
	if content := testfile.Read(tb, file); content != text {
		tb.Errorf("%s (- the file, + the test; -update writes it):\n%s", file, lineDiff(content, text))
	}
}

// lineDiff has all lines of two texts: those that only one has begin with - or +.
func lineDiff(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	common := make([][]int, len(a)+1) // the number of lines in common from a[i] and b[j] on
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var diff strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			diff.WriteString("  " + a[i] + "\n")
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			diff.WriteString("- " + a[i] + "\n")
			i++
		default:
			diff.WriteString("+ " + b[j] + "\n")
			j++
		}
	}
	return diff.String()
}
