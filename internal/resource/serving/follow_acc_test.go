package serving_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_followAppImage: a changed tag shows in the plan of each party, and one apply
// rolls it out, also if an earlier one has changed the app image alone.
func TestAccServing_followAppImage(t *testing.T) {
	e := newEnv(t)
	w := e.NewWorkspace(t)
	image := e.Name("followed")
	s := alone(e, "test", "").with(func(s *servingHCL) {
		s.config = `jsonencode({ model = 1 })`
		s.parties = []partyHCL{{domain: `"alice"`, image: "kuscia_app_image.test.name"}, {domain: `"bob"`, image: "kuscia_app_image.test.name"}}
	})
	write := func(tag string) { w.Write("main.tf", appImage(image, tag, "serve")+s.String()) }
	shows := func(plan, before, after string) {
		t.Helper()
		line := regexp.MustCompile(`~ image +=? *"secretflow/serving-anolis8:` + before + `" -> "secretflow/serving-anolis8:` + after + `"`)
		if found := len(line.FindAllString(acctest.Plain(plan), -1)); found != 2 || strings.Contains(plan, "Warning") {
			t.Errorf("%d parties with another image:\n%s", found, plan)
		}
	}
	write("1.0")
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	write("2.0")
	plan := w.Plan(acctest.PlanDiffers)
	if shows(plan, "1.0", "2.0"); !strings.Contains(plan, "0 to add, 2 to change, 0 to destroy") {
		t.Errorf("the plan is\n%s", plan)
	}
	requests := e.CountRequests()
	w.Apply()
	if err := requests.Expect(acctest.PathServingUpdate, 1)(nil); err != nil {
		t.Error(err)
	}
	w.Plan(acctest.PlanEmpty)

	write("3.0")
	w.Run(0, "apply", "-auto-approve", "-input=false", "-target=kuscia_app_image.test")
	shows(w.Plan(acctest.PlanDiffers), "2.0", "3.0")
	w.Run(0, "apply", "-auto-approve", "-input=false", "-target=kuscia_serving.test")
	w.Plan(acctest.PlanEmpty)
	runs(t, e, s, "3.0")
}

// TestAccServing_followSavedPlan: an app image that another client changes after the plan is an
// error of the provider, and the CLI reports no inconsistency.
func TestAccServing_followSavedPlan(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestFollowChangedAfterPlan"))
	e := newEnv(t)
	w := e.NewWorkspace(t)
	image := e.AppImage()
	retag := func(tag string) {
		e.Do(func(ctx context.Context, api *kuscia.Client) error {
			found, err := api.QueryAppImage(ctx, image)
			if err != nil {
				return err
			}
			found.Image.Tag = tag
			return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: image, Image: found.Image, DeployTemplates: found.DeployTemplates})
		})()
	}
	s := alone(e, "test", image).with(func(s *servingHCL) { s.config = `"{}"` })
	w.Write("main.tf", s.String())
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	retag("2.0")
	w.Run(0, "plan", "-input=false", "-out=saved")
	retag("3.0")
	requests := e.CountRequests()
	said := acctest.Plain(w.Run(1, "apply", "-input=false", "saved"))
	for _, part := range []string{"App image was changed after the plan", `the image "secretflow/serving-anolis8:2.0"`, `now has "secretflow/serving-anolis8:3.0"`, "plan and apply again"} {
		if !strings.Contains(said, part) || strings.Contains(said, "inconsistent") {
			t.Errorf("the apply does not say %q:\n%s", part, said)
		}
	}
	if err := requests.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	w.Apply()
	runs(t, e, s, "3.0")
	w.Plan(acctest.PlanEmpty)

	// The image of a new serving is that which its app image has at the apply.
	second := s.with(func(s *servingHCL) { s.label, s.id = "second", quote(e.Name("second")) })
	w.Write("main.tf", s.String()+second.String())
	w.Run(0, "plan", "-input=false", "-out=saved")
	retag("4.0")
	w.Run(0, "apply", "-input=false", "saved")
	runs(t, e, second, "4.0")
}

// runs checks the tag of all pods of a serving.
func runs(t *testing.T, e *acctest.Env, s servingHCL, tag string) {
	t.Helper()
	if e.Sandbox != nil {
		for _, p := range s.parties {
			if image, err := e.Sandbox.DeployedImage(s.servingID(), strings.Trim(p.domain, `"`), ""); err != nil || image != "secretflow/serving-anolis8:"+tag {
				t.Errorf("%s runs %s, %v", p.domain, image, err)
			}
		}
	}
}
