package faulttest_test

import (
	"os"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// parallelTests is the number of parallel tests: they mostly wait for timeouts,
// retries and other processes.
const parallelTests = 8

// environment is the environment before tests change it: the go command needs
// it to find its build cache.
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
