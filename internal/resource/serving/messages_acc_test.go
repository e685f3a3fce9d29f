package serving_test

import (
	"context"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_goneSincePlan: the apply of a saved plan whose serving was
// deleted reports that.
func TestAccServing_goneSincePlan(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestGoneSincePlan"))
	e := newEnv(t)
	s := alone(e, "s", e.AppImage())
	w := e.Applied(t, s.String())
	w.Write("main.tf", s.with(func(s *servingHCL) { s.parties[0].replicas = "2" }).String())
	w.Run(0, "plan", "-input=false", "-out=saved")
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteServing(ctx, s.servingID()) })()
	said := acctest.Plain(w.Run(1, "apply", "-input=false", "saved"))
	for _, part := range []string{"no longer exists", "was deleted after the plan", "the new plan creates it", "11601"} {
		if !strings.Contains(said, part) {
			t.Errorf("it does not say %q:\n%s", part, said)
		}
	}
}

// TestAccServing_containerTypo: one mistake is one error.
func TestAccServing_containerTypo(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestCheckImage"))
	e := newEnv(t)
	w := e.Initialized(t, alone(e, "s", e.AppImage()).with(func(s *servingHCL) {
		s.parties[0].resources = `container_resources = { nope = { max_cpu = "1" } }`
	}).String())
	if said := w.Run(1, "plan", "-input=false"); strings.Count(said, "Error: ") != 1 || !strings.Contains(acctest.Plain(said), `no container "nope"`) {
		t.Errorf("the diagnostics are\n%s", said)
	}
}
