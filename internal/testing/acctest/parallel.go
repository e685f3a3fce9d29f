package acctest

import (
	"flag"
	"runtime/debug"
	"strconv"
	"testing"
)

// RunParallel runs the tests of a package that mostly wait, for time-outs,
// repeated tries and other processes: so many at once, unless -parallel says
// otherwise. It returns the exit code.
func RunParallel(m *testing.M, tests int) int {
	// The plugin framework makes much short-lived garbage, and there is memory.
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
