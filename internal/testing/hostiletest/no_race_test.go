//go:build !race

package hostiletest_test

// raceFactor is 1: what is measured is what the code allocates.
const raceFactor = 1
