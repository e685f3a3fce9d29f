package faulttest_test

import (
	"os"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
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
	code := acctest.RunParallel(m, parallelTests)
	for _, dir := range providerFolders.list {
		_ = os.RemoveAll(dir)
	}
	return code
}
