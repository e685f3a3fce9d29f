package serving_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_renamedImage: a new name replaces the app image, and Terraform
// destroys the old one first. Kuscia cannot show the serving at that time.
func TestAccServing_renamedImage(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRenamedImage"))
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("versioned")
	s := alone(e, "versioned", "")
	s.parties[0].image = "kuscia_app_image.sf.name"
	s.config = `"{}"`
	with := func(version string) string {
		return e.ProviderConfig() + imageHCL(name+"-"+version, version, `{ name = "main" }`) + strings.TrimSpace(s.String())
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckServingDestroyed(s.servingID()),
		Steps:                    []resource.TestStep{{Config: with("1")}, {Config: with("2")}, {Config: with("3")}},
	})
}
