package serving_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// byDefinition is a serving of the resource kuscia_app_image.test that follows its image and
// is replaced with its definition.
func byDefinition(e *acctest.Env) servingHCL {
	return alone(e, "test", "").with(func(s *servingHCL) {
		s.parties[0].image = "kuscia_app_image.test.name"
		s.config = `"{}"`
		s.replace = "{ definition = kuscia_app_image.test.definition_revision }"
	})
}

// TestAccServing_replaceTriggers: a changed definition replaces the serving in
// the same plan, and also if an apply left the serving out.
func TestAccServing_replaceTriggers(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	e := newEnv(t)
	w := e.NewWorkspace(t)
	image, s := e.Name("defined"), byDefinition(e)
	write := func(tag, command string, s servingHCL) { w.Write("main.tf", appImage(image, tag, command)+s.String()) }
	replaced := func(plan string, want bool) {
		t.Helper()
		if strings.Contains(plan, "kuscia_serving.test must be replaced") != want || strings.Contains(plan, "app image") {
			t.Errorf("the plan replaces the serving: want %v\n%s", want, plan)
		}
	}
	write("1.0", "serve", s)
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	write("2.0", "serve", s)
	replaced(w.Plan(acctest.PlanDiffers), false)
	w.Apply()

	write("2.0", "other", s)
	w.Run(0, "apply", "-auto-approve", "-input=false", "-target=kuscia_app_image.test")
	replaced(w.Plan(acctest.PlanDiffers), true)
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	// A key that is added is stored; its next value is a change.
	by := func(who string) servingHCL {
		return s.with(func(s *servingHCL) {
			s.replace = fmt.Sprintf(`{ definition = kuscia_app_image.test.definition_revision, by = %q }`, who)
		})
	}
	write("2.0", "other", by("hand"))
	plan := w.Plan(acctest.PlanDiffers)
	replaced(plan, false)
	if !strings.Contains(plan, "Change of replace_triggers is only stored") {
		t.Errorf("the plan does not say that the key has no effect:\n%s", plan)
	}
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	write("2.0", "other", by("script"))
	replaced(w.Plan(acctest.PlanDiffers), true)

	// The first values after an import are stored.
	write("2.0", "other", s)
	w.Run(0, "state", "rm", "kuscia_serving.test")
	w.Run(0, "import", "-input=false", "kuscia_serving.test", s.servingID())
	replaced(w.Plan(acctest.PlanDiffers), false)
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_replaceTriggersOfData: an app image that is not managed here.
func TestAccServing_replaceTriggersOfData(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	image := e.AppImage()
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.replace = "{ definition = data.kuscia_app_image.test.definition_revision }"
	})
	config := acctest.DataBlock("kuscia_app_image", "test", attrs{"name": image}) + s.String()
	change := e.Do(func(ctx context.Context, api *kuscia.Client) error {
		found, err := api.QueryAppImage(ctx, image)
		if err != nil {
			return err
		}
		found.DeployTemplates[0].Containers[0].Command = []string{"another"}
		return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: image, Image: found.Image, DeployTemplates: found.DeployTemplates})
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			{Config: config},
			{
				PreConfig: change, Config: config,
				ConfigPlanChecks: preApply(plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionDestroyBeforeCreate)),
			},
		},
	})
}

// TestAccServing_definitionWarned: parts of an app image that do not reach the
// pods are a warning in every plan until they do, and never change the plan.
func TestAccServing_definitionWarned(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	w := e.NewWorkspace(t)
	image := e.Name("defined")
	s := byDefinition(e).with(func(s *servingHCL) { s.replace = "" })
	write := func(tag, command string, s servingHCL) { w.Write("main.tf", appImage(image, tag, command)+s.String()) }
	warned := func(want string) {
		t.Helper()
		text, _ := w.Try("plan", "-json", "-input=false")
		if want == "" {
			if strings.Contains(text, `"severity":"warning"`) {
				t.Errorf("the plan warns:\n%s", text)
			}
			return
		}
		expectWarning(t, text, "kuscia_serving.test", want)
	}
	write("1.0", "serve", s)
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	warned("")

	const lostCommand = `parties\["alice"\]\.app_image: App image "[^"]*" now differs in command from the definition from which the pods of this party were created\..*replace_triggers`
	write("1.0", "s3cr3t-command", s)
	warned(lostCommand)
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "0 to add, 1 to change, 0 to destroy") {
		t.Errorf("the warning changes the plan:\n%s", plan)
	}
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	warned(lostCommand)
	write("2.0", "s3cr3t-command", s) // updates the pods, with the old command
	warned(lostCommand)
	w.Apply()
	warned(lostCommand)
	write("2.0", "serve", s) // reverts to what the pods have
	warned("")
	w.Apply()

	// A tag that the serving does not follow.
	loose := s.with(func(s *servingHCL) { s.follow = "false" })
	write("2.0", "serve", loose)
	w.Apply()
	write("3.0", "serve", loose)
	warned(`is "secretflow/serving-anolis8:3\.0", but the pods of this party were last updated to "secretflow/serving-anolis8:2\.0".*set follow_app_image = true`)
	write("3.0", "serve", loose.with(func(s *servingHCL) { s.parties[0].replicas = "2" })) // which updates them too
	warned("")
	w.Apply()
	warned("")
}

// TestAccServing_rolledOutByOthers: a tag that another client changed and rolled
// out is still in the pods after the apply of the app image has reverted it.
func TestAccServing_rolledOutByOthers(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	e := newEnv(t)
	image := e.Name("defined")
	s := byDefinition(e).with(func(s *servingHCL) {
		s.triggers = `{ again = "0" }`
	})
	w := e.Applied(t, appImage(image, "1.0", "serve")+s.String())
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		found, err := api.QueryAppImage(ctx, image)
		if err != nil {
			return err
		}
		found.Image.Tag = "2.0"
		if err := api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: image, Image: found.Image, DeployTemplates: found.DeployTemplates}); err != nil {
			return err
		}
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: s.servingID(), ServingInputConfig: "{ }"})
	})()
	const warning = `was "secretflow/serving-anolis8:2\.0" in the meantime, which another client may have rolled out`
	for range 2 {
		text, _ := w.Try("plan", "-json", "-input=false")
		expectWarning(t, text, "kuscia_serving.test", warning)
		w.Apply()
	}
	w.Write("main.tf", appImage(image, "1.0", "serve")+s.with(func(s *servingHCL) {
		s.triggers = `{ again = "1" }`
	}).String())
	w.Apply()
	if text, _ := w.Try("plan", "-json", "-input=false"); strings.Contains(text, `"severity":"warning"`) {
		t.Errorf("the plan still warns:\n%s", text)
	}
}
