package faulttest_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// parallelTests is the number of parallel tests, which mostly wait.
const parallelTests = 16

// environment is that of the go command, before tests change it.
var environment = os.Environ()

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// restartTimeout is how long the provider in this process waits for a server that refuses
// connections: longer than any server stops here, and shorter than by default, since it is
// what each cell takes whose server stays down.
const restartTimeout = 12 * time.Second

func run(m *testing.M) int {
	flag.Parse()
	httpapi.DefaultBackoff.RestartTimeout = restartTimeout
	code := acctest.RunParallel(m, parallelTests)
	_ = os.RemoveAll(builtInto)
	return code
}
