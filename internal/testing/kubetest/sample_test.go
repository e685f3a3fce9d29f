package kubetest_test

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn returns n random cases with -short, and all of them without it. They are recordings
// of the same controllers, each of which takes seconds.
func drawn[C any](t *testing.T, n int, cases []C) []C {
	t.Helper()
	if !testing.Short() || n >= len(cases) {
		return cases
	}
	cases = slices.Clone(cases)
	rand.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	t.Logf("%d of %d cases, since -short is set (make test-long)", n, len(cases))
	return cases[:n]
}
