package serving_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// redeployAction is an action that restarts a serving.
func redeployAction(s servingHCL) string {
	return acctest.TopLevel("action", []string{"kuscia_serving_redeploy", "test"}, attrs{
		"config": acctest.Nested{"serving_id": expr(s.id), "timeouts": attrs{"invoke": "5m"}},
	})
}

// redeployFile is an app image that restarts a serving when it changes, the
// serving, and the action.
func redeployFile(image, tag string, s servingHCL) string {
	trigger := acctest.Nested{"events": acctest.Reference("[after_update]"), "actions": acctest.Reference("[action.kuscia_serving_redeploy.test]")}
	return appImage(image, tag, "serve", acctest.Nested{"action_trigger": trigger}) + s.String() + redeployAction(s)
}

// TestAccServing_redeployAction: from the command line and after an update of
// the app image, the pods of every party are replaced, and the plan is empty.
func TestAccServing_redeployAction(t *testing.T) {
	e := newEnv(t)
	w := e.NewWorkspace(t)
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "actions")
	image := e.Name("rolling")
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.config, s.follow = `jsonencode({ model = 1 })`, "false" // so that the action alone restarts the pods
		s.parties = []partyHCL{
			{domain: `"alice"`, role: `"server"`, image: "kuscia_app_image.test.name", replicas: "2"},
			{domain: `"bob"`, image: "kuscia_app_image.test.name"},
		}
	})
	deployed := func(tag string) {
		t.Helper()
		if e.Sandbox == nil {
			return
		}
		for domain, role := range map[string]string{"alice": "server", "bob": ""} {
			reference, err := e.Sandbox.DeployedImage(s.servingID(), domain, role)
			if err != nil || reference != "secretflow/serving-anolis8:"+tag {
				t.Errorf("%s runs %s, %v", domain, reference, err)
			}
		}
	}
	w.Write("main.tf", redeployFile(image, "1.0", s))
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	requests := e.CountRequests()
	output := w.Run(0, "apply", "-auto-approve", "-input=false", "-invoke=action.kuscia_serving_redeploy.test")
	for _, text := range []string{"restarting the pods of 2 parties", "every party runs restarted pods"} {
		if !strings.Contains(acctest.Plain(output), text) {
			t.Errorf("no %q in\n%s", text, output)
		}
	}
	if err := requests.Expect(acctest.PathServingUpdate, 1)(nil); err != nil {
		t.Error(err)
	}
	w.Plan(acctest.PlanEmpty)

	w.Write("main.tf", redeployFile(image, "2.0", s))
	requests.Start()
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "action.kuscia_serving_redeploy.test") {
		t.Errorf("the plan does not show the action:\n%s", plan)
	}
	w.Apply()
	if err := requests.Expect(acctest.PathServingUpdate, 1)(nil); err != nil {
		t.Error(err)
	}
	deployed("2.0")
	w.Plan(acctest.PlanEmpty)
}
