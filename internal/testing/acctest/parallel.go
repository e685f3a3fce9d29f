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
	// The plugin framework creates much short-lived garbage, and memory is not
	// scarce.
	debug.SetGCPercent(400)
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
			panic(err) // the testing package has this flag
		}
	}
	return m.Run()
}
