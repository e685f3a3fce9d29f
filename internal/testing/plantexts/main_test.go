package plantexts_test

import (
	"os"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func TestMain(m *testing.M) { os.Exit(acctest.RunKube(m, 4)) }
