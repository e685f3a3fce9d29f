package appimage_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccAppImage_exists: an app image of another client is not adopted. The
// error explains how to import it, and the import block in it works unchanged.
func TestAccAppImage_exists(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestLife"))
	t.Parallel()
	e := acctest.New(t)
	name := e.AppImage(func(i *kuscia.AppImage) {
		i.Image = kuscia.AppImageInfo{Name: "example/app", Tag: "1"}
		i.ConfigTemplates = nil
		i.DeployTemplates = []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}}
	})
	requests := e.CountRequests()
	w := e.Initialized(t, appImage{name: name}.hcl())
	output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
	for _, want := range []string{
		`Unable to create app image`, `App image "` + name + `"`, `13106`, `already exists`, `terraform import kuscia_app_image.NAME ` + name,
	} {
		if code != 1 || !strings.Contains(output, want) {
			t.Fatalf("exit code %d, without %q:\n%s", code, want, output)
		}
	}
	w.Write("import.tf", acctest.ImportBlock(t, output, "test"))
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan of the import is not empty:\n%s", plan)
	}
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if err := requests.ExpectNone(acctest.PathAppImageUpdate, acctest.PathAppImageDelete)(nil); err != nil {
		t.Error(err)
	}
}
