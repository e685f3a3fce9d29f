package examplestest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccQuickstart applies the quickstart, also to a real Kuscia, where its names may be in
// use; reads the status, and updates it as the Kuscia documentation does.
func TestAccQuickstart(t *testing.T) {
	t.Parallel()
	env := acctest.New(t)
	name := env.Name("quickstart")
	w := named(t, "quickstart").workspace(t, env.ProtoV6ProviderFactories(), strings.NewReplacer("serving-1", name, "secretflow-serving-image", name))
	w.Init()
	w.DestroyAtEnd()
	expectIn(t, w.Run(0, "apply", "-auto-approve"), `state = "Available"`, "available_parties = 2", `"bob/service" = "`+name+`-service.bob.svc"`)
	w.Plan(acctest.PlanEmpty)
	const larger = "-var=larger_resources=true"
	expectIn(t, w.Run(0, "apply", "-auto-approve", larger), "# kuscia_serving.glm will be updated in-place", "0 added, 1 changed, 0 destroyed")
	w.Run(0, "plan", "-detailed-exitcode", larger)
}
