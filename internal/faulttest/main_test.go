package faulttest_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// environment is that of the tests before they change it: the go command finds
// its build cache by it.
var environment = os.Environ()

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// The plugin framework makes much short-lived garbage, and there is memory.
	debug.SetGCPercent(400)
	// The journal of creates goes into a folder of the tests.
	cache, err := os.MkdirTemp("", "faulttest-cache-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(cache) }()
	for _, variable := range []string{"XDG_CACHE_HOME", "LocalAppData"} {
		if err := os.Setenv(variable, cache); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	code := m.Run()
	if providerIsBuilt.Load() {
		dir, _ := builtProvider()
		_ = os.RemoveAll(dir)
	}
	return code
}
