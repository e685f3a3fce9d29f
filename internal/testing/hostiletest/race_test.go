//go:build race

package hostiletest_test

// raceFactor: the race detector allocates for itself.
const raceFactor = 2
