package servingtest

import "testing"

// TestSpellings: the spellings of the generator are what the definition compares as equal.
func TestSpellings(t *testing.T) {
	t.Parallel()
	generator.CheckSpellings(t)
}
