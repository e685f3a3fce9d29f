package serving_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func TestMain(m *testing.M) { os.Exit(acctest.RunKube(m, max(4, runtime.GOMAXPROCS(0)))) }
