package appimage_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func TestAccAppImageDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("data")
	const data = "data.kuscia_app_image.test"
	hcl := appImage{name: name, container: `resources = { limits = { cpu = "0.5" } }`}.hcl() +
		acctest.DataBlock("kuscia_app_image", "test", map[string]any{"name": acctest.Reference("kuscia_app_image.test.name")})
	same := func(attribute string) statecheck.StateCheck {
		return statecheck.CompareValuePairs(data, tfjsonpath.New(attribute), address, tfjsonpath.New(attribute), compare.ValuesSame())
	}
	resource.Test(t, e.TestCase(object(name), resource.TestStep{
		Config: hcl,
		ConfigStateChecks: []statecheck.StateCheck{
			same("image"), same("config_templates"), same("rollout_revision"), same("definition_revision"),
			// Kuscia's canonical spelling.
			statecheck.ExpectKnownValue(data, tfjsonpath.New("deploy_templates").AtSliceIndex(0).AtMapKey("containers").AtSliceIndex(0).
				AtMapKey("resources").AtMapKey("limits").AtMapKey("cpu"), knownvalue.StringExact("500m")),
		},
	}, resource.TestStep{
		Config:           hcl,
		ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
	}))
}

func TestAccAppImageDataSource_missing(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("missing")
	for what, test := range map[string]struct {
		name string
		want []string
	}{
		"missing":   {name, []string{`App image does not exist`, `Kuscia has no app image "` + name + `"`}},
		"malformed": {"No_Name", []string{`Invalid name`}},
	} {
		t.Run(what, func(t *testing.T) {
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				Steps:                    []resource.TestStep{{Config: acctest.DataBlock("kuscia_app_image", "test", map[string]any{"name": test.name})}},
			}, acctest.Failure{Messages: test.want})
		})
	}
}

func TestAccAppImagesDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	// More than the server's default page size.
	const n = 12
	names := make([]string, n)
	for i := range names {
		names[i] = e.AppImage(func(image *kuscia.AppImage) { image.Image.Tag = fmt.Sprint(i) })
	}
	hcl := acctest.DataBlock("kuscia_app_images", "test", nil) +
		acctest.TopLevel("locals", nil, attrs{
			"by_name": acctest.Reference("{ for image in data.kuscia_app_images.test.app_images : image.name => image }"),
		}) +
		acctest.Output("all", acctest.Reference("alltrue([for name in "+acctest.Expression(names)+" : contains(data.kuscia_app_images.test.names, name)])")) +
		acctest.Output("sorted", acctest.Reference("data.kuscia_app_images.test.names == sort(data.kuscia_app_images.test.names)")) +
		acctest.Output("tag", acctest.Reference(fmt.Sprintf("local.by_name[%q].image.tag", names[7]))) +
		acctest.Output("revision", acctest.Reference(fmt.Sprintf("local.by_name[%q].rollout_revision", names[7])))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			Config: hcl,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("all", knownvalue.Bool(true)),
				statecheck.ExpectKnownOutputValue("sorted", knownvalue.Bool(true)),
				statecheck.ExpectKnownOutputValue("tag", knownvalue.StringExact("7")),
				statecheck.ExpectKnownOutputValue("revision", knownvalue.StringRegexp(hash)),
			},
		}},
	})
}
