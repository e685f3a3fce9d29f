// Package short has what tests leave out with -short.
package short

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Count is the number of random cases: few with -short, and many without it.
func Count(few, many int) int {
	if testing.Short() {
		return few
	}
	return many
}

// ShownBy is the reason of LeaveOut that other tests, which run with -short, show the same
// rule. TestReasonsToSkip checks that there are such tests.
func ShownBy(tests ...string) string { return "shown by " + strings.Join(tests, ", ") }

// LeaveOut skips a test with -short, and says why: other tests show the same, or it takes
// long for a rare case.
func LeaveOut(t *testing.T, why string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("not with -short: %s (make test-long)", why)
	}
}

// Sample returns n random cases with -short, and all cases without it. It is
// for cases that differ in a value and not in their code path.
func Sample[V any](t *testing.T, n int, cases map[string]V) map[string]V {
	t.Helper()
	drawn := make(map[string]V, n)
	for _, name := range Drawn(t, n, slices.Sorted(maps.Keys(cases))) {
		drawn[name] = cases[name]
	}
	return drawn
}

// Drawn is Sample of a list. With -short the order is random too.
func Drawn[C any](t *testing.T, n int, cases []C) []C {
	t.Helper()
	if !testing.Short() || n >= len(cases) {
		return cases
	}
	cases = slices.Clone(cases)
	rand.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	t.Logf("%d of %d cases, since -short is set (make test-long)", n, len(cases))
	return cases[:n]
}
