//go:build race

package httpapi_test

// raceFactor: the race detector allocates for itself.
const raceFactor = 2
