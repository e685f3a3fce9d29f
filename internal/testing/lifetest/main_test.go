package lifetest_test

import (
	"os"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// The tests mostly wait for rollouts.
func TestMain(m *testing.M) { os.Exit(acctest.RunParallel(m, 16)) }
