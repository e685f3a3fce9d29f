package faulttest_test

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
)

// parallelTests is how many tests run at once: they mostly wait for time-outs,
// repeated tries and other processes.
const parallelTests = 6

// environment is that of the tests before they change it: the go command finds
// its build cache by it.
var environment = os.Environ()

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// The plugin framework makes much short-lived garbage, and there is memory.
	debug.SetGCPercent(400)
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		must(flag.Set("test.parallel", strconv.Itoa(parallelTests)))
	}
	code := m.Run()
	for _, dir := range providerFolders.list {
		_ = os.RemoveAll(dir)
	}
	return code
}
