package acctest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

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
