package examplestest_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testAdoptExisting applies the example where its app image already exists, as
// an apply that was killed leaves it: it is adopted, nothing is sent but the
// create, and the next plan is empty.
func testAdoptExisting(t *testing.T, e example) {
	env := acctest.NewSandbox(t, sandbox.Options{})
	if err := env.Sandbox.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	requests := env.CountRequests()
	dir := e.folder(t, e.configuration, nil)
	run(t, acctest.Factories(at(env)), resource.TestCase{
		Steps: []resource.TestStep{{
			ConfigDirectory: config.StaticDirectory(dir),
			Check:           requests.ExpectNone(acctest.PathAppImageUpdate, acctest.PathAppImageDelete),
		}},
	})
}
