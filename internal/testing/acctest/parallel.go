package acctest

import (
	"flag"
	"runtime/debug"
	"strconv"
	"testing"
)

// RunParallel runs the tests of a package that mostly waits, for timeouts,
// retries and other processes: tests of them at the same time, unless -parallel
// is set. It returns the exit code.
func RunParallel(m *testing.M, tests int) int {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
			panic(err) // the testing package has this flag
		}
	}
	return runCollecting(m)
}

// runCollecting runs tests with a rare collection of garbage: the plugin framework creates much
// that is short-lived, and memory is not scarce.
func runCollecting(m *testing.M) int {
	debug.SetGCPercent(400)
	return m.Run()
}
