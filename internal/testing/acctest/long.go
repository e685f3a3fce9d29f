package acctest

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// longVariable enables long tests against a real Kuscia; "make test-long" sets
// it.
const longVariable = "KUSCIA_TEST_LONG"

// Long reports whether tests should run at their full length: without -short
// and, against a real Kuscia, where that takes hours, only if KUSCIA_TEST_LONG
// is set.
func Long() bool { return long(testing.Short(), os.Getenv) }

func long(short bool, getenv func(string) string) bool {
	return !short && (getenv("KUSCIA_ENDPOINT") == "" || getenv(longVariable) != "")
}

// ShownBy is the reason for SkipShort that other tests, which run with -short, show the same
// rule. TestReasonsToSkip checks that there are such tests.
func ShownBy(tests ...string) string { return "shown by " + strings.Join(tests, ", ") }

// SkipShort skips a test with -short, and says why: other tests show the same, or it takes
// long for a rare case.
func SkipShort(t *testing.T, why string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("not with -short: %s (make test-long)", why)
	}
}

// Sample returns n random cases with -short, and all cases without it. It is
// for cases that differ in a value and not in their code path.
func Sample[V any](t *testing.T, n int, cases map[string]V) map[string]V {
	t.Helper()
	if !testing.Short() || n >= len(cases) {
		return cases
	}
	names := slices.Sorted(maps.Keys(cases))
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	drawn := make(map[string]V, n)
	for _, name := range names[:n] {
		drawn[name] = cases[name]
	}
	t.Logf("%d of %d cases, since -short is set: %q", n, len(cases), names[:n])
	return drawn
}
