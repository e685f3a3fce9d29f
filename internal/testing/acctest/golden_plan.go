package acctest

import (
	"regexp"
	"strings"
	"testing"
)

// These match what differs each time in plans: times, IDs that a server draws, and hashes of pods.
var (
	aTime    = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z?`)
	anID     = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	aVersion = regexp.MustCompile(`It releases version "[0-9a-z]+"`)
)

// GoldenPlan compares the output of a plan, from the first change to the last warning, with a
// file. -update writes it.
func GoldenPlan(tb testing.TB, file, output string) {
	tb.Helper()
	start := strings.Index(output, "Terraform will perform")
	if start < 0 || !strings.Contains(output, "\nPlan: ") {
		tb.Fatalf("no plan in\n%s", output)
	}
	text, _, _ := strings.Cut(output[start:], "\n─────")
	text, _, _ = strings.Cut(text, "\nWarning: Config generation is experimental")
	text = anID.ReplaceAllString(aTime.ReplaceAllString(text, "TIME"), "ID")
	text = aVersion.ReplaceAllString(text, `It releases version "HASH"`)
	Golden(tb, file, strings.TrimRight(text, "\n")+"\n")
}
