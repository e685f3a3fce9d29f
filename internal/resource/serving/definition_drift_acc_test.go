package serving_test

import (
	"context"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_driftOfDefinition: a definition that another client changed and
// that never reached the pods is reverted without a change of the serving; if it
// is kept, it replaces the serving.
func TestAccServing_driftOfDefinition(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	e := newEnv(t)
	w := e.NewWorkspace(t)
	image, s := e.Name("drifting"), byDefinition(e)
	write := func(command string) { w.Write("main.tf", appImage(image, "1.0", command)+s.String()) }
	drift := func() {
		e.Do(func(ctx context.Context, api *kuscia.Client) error {
			found, err := api.QueryAppImage(ctx, image)
			if err != nil {
				return err
			}
			found.DeployTemplates[0].Containers[0].Command = []string{"other"}
			return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: image, Image: found.Image, DeployTemplates: found.DeployTemplates})
		})()
	}
	expect := func(want string) {
		t.Helper()
		plan := w.Plan(acctest.PlanDiffers)
		if !strings.Contains(plan, want) || strings.Contains(plan, "Warning: Running pods") {
			t.Errorf("the plan is not %q, or warns:\n%s", want, plan)
		}
	}
	write("serve")
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	forgetRequests(e)()
	drift()
	expect("0 to add, 1 to change, 0 to destroy")
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if err := expectSent(e, s.servingID())(nil); err != nil {
		t.Error(err)
	}

	drift()
	write("other")
	expect("1 to add, 0 to change, 1 to destroy")
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}
