package serving_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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

// TestAccServing_redeployActionRefused: a text that is not JSON is rejected and
// not shown.
func TestAccServing_redeployActionRefused(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRedeployRefused"))
	e := newEnv(t)
	w := e.NewWorkspace(t)
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "actions")
	const secret = "plain text with a key"
	s := alone(e, "test", e.AppImage(func(*kuscia.AppImage) {})).with(func(s *servingHCL) { s.config = quote(secret) })
	w.Write("main.tf", s.String()+redeployAction(s))
	w.DestroyAtEnd()
	w.Apply()
	output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false", "-invoke=action.kuscia_serving_redeploy.test"))
	if !strings.Contains(output, "Configuration text is not JSON") || strings.Contains(output, secret) {
		t.Error(output)
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_redeployWithRenamedImage: the old app image is deleted before
// the servings change over to the new one, so that Kuscia cannot show them. One
// request changes the app image and restarts the pods.
func TestAccServing_redeployWithRenamedImage(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	w := e.NewWorkspace(t)
	s := alone(e, "test", "").with(func(s *servingHCL) {
		s.config = `jsonencode({ model = 1 })`
		s.parties = []partyHCL{{domain: `"alice"`, image: "kuscia_app_image.test.name"}}
	})
	config := func(image, run string) string {
		return appImage(e.Name(image), "1.0", "serve") + s.with(func(s *servingHCL) { s.triggers = fmt.Sprintf("{ run = %q }", run) }).String()
	}
	w.Write("main.tf", config("before", "1"))
	w.DestroyAtEnd()
	w.Apply()
	for run, image := range []string{"after", "later"} {
		w.Write("main.tf", config(image, fmt.Sprint(run+2)))
		requests := e.CountRequests()
		if output := acctest.Plain(w.Run(0, "apply", "-auto-approve", "-input=false")); strings.Contains(output, "was not observed to start") {
			t.Error(output)
		}
		if err := requests.Expect(acctest.PathServingUpdate, 1)(nil); err != nil {
			t.Error(err)
		}
		w.Plan(acctest.PlanEmpty)
	}
}

// TestAccServing_redeployWithRenamedImageWriteOnly: a write-only text that only Kuscia has
// cannot be sent again after the old app image is deleted. The error says so before
// anything is sent, and a new version helps.
func TestAccServing_redeployWithRenamedImageWriteOnly(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	acctest.RequireWriteOnly(t)
	e := newEnv(t)
	w := e.NewWorkspace(t)
	s := alone(e, "test", "").with(func(s *servingHCL) {
		s.parties = []partyHCL{{domain: `"alice"`, image: "kuscia_app_image.test.name"}}
	})
	before, after := e.Name("before"), e.Name("after")
	config := func(image, run string, version int) string {
		return appImage(image, "1.0", "serve") + s.with(hide(hiddenModel1, version)).with(func(s *servingHCL) { s.triggers = fmt.Sprintf("{ run = %q }", run) }).String()
	}
	w.Write("main.tf", config(before, "1", 1))
	w.DestroyAtEnd()
	w.Apply()
	w.Write("main.tf", config(after, "2", 1))
	requests := e.CountRequests()
	output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false"))
	if !strings.Contains(output, "Increase serving_input_config_wo_version") {
		t.Error(output)
	}
	if err := requests.Expect(acctest.PathServingUpdate, 0)(nil); err != nil {
		t.Error(err)
	}
	w.Write("main.tf", config(after, "2", 2))
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}
