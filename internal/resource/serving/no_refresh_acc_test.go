package serving_test

import (
	"os"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_planWithoutRefresh: the stored state has an empty plan without
// a query of Kuscia.
func TestAccServing_planWithoutRefresh(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlanWithAndWithoutShortcut"))
	for _, option := range []string{"-refresh=false", "-minimal-refresh"} {
		t.Run(option, func(t *testing.T) {
			e := newEnv(t)
			w := e.NewWorkspace(t)
			if !strings.Contains(w.Run(0, "plan", "-help"), strings.TrimSuffix(option, "=false")) {
				t.Skipf("this CLI's plan has no %s; Terraform 1.17 has", option)
			}
			content, err := os.ReadFile("testdata/module.tf")
			if err != nil {
				t.Fatal(err)
			}
			w.Write("main.tf", string(content))
			w.Write("terraform.tfvars", "name = "+quote(e.Name("stored"))+"\ndomains = [\"alice\", \"bob\"]\n")
			w.Run(0, "init", "-input=false")
			w.DestroyAtEnd()
			w.Apply()
			requests := e.CountRequests()
			w.Run(acctest.PlanEmpty, "plan", "-detailed-exitcode", "-input=false", option)
			if err := requests.ExpectNoRequests()(nil); err != nil {
				t.Error(err)
			}
		})
	}
}
