package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// imageHCL is an app image in the configuration, with one template for every
// role.
func imageHCL(name, tag, containers string) string {
	return acctest.AppImageBlock{
		Label: "sf", Name: name, Image: attrs{"tag": tag}, Template: attrs{"containers": acctest.Reference("[" + containers + "]")},
	}.String()
}

// TestAccServing_liveImageReplaced: the error for a new port says how the serving is
// replaced, and that works; -replace does not.
func TestAccServing_liveImageReplaced(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	e := acctest.New(t)
	s := alone(e, "replaced", "")
	s.parties[0].image, s.config = "kuscia_app_image.sf.name", `"{}"`
	twice := s.with(func(s *servingHCL) { s.parties[0].replicas = "2" })
	triggered := twice.with(func(s *servingHCL) { s.replace = `{ ports = "3" }` })
	image := e.Name("replaced")
	with := func(ports string) string {
		return imageHCL(image, "1", `{ name = "main", ports = [{ name = "service", scope = "Domain" }`+ports+`] }`)
	}
	const metrics, admin = `, { name = "metrics", scope = "Domain" }`, `, { name = "admin", scope = "Domain" }`
	w := e.Applied(t, with("")+s.String())

	w.Write("main.tf", with(metrics)+twice.String())
	for _, arguments := range [][]string{{"plan"}, {"plan", "-replace=kuscia_serving.replaced"}} {
		said := acctest.Plain(w.Run(1, append(arguments, "-input=false")...))
		for _, want := range []string{"New port on a live serving", "run terraform taint ADDRESS and then apply", "another value of a key in replace_triggers"} {
			if !strings.Contains(said, want) {
				t.Errorf("%v does not say %q: %s", arguments, want, said)
			}
		}
	}
	w.Run(0, "taint", "kuscia_serving.replaced")
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	w.Write("main.tf", with(metrics+admin)+triggered.String())
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}
