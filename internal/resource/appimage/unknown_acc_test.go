package appimage_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccAppImage_unknown: attributes, lists, elements and objects that are
// known only after apply, in a create and in an update.
func TestAccAppImage_unknown(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	names := map[string]string{}
	values := map[string]config.Variable{}
	for _, key := range []string{"leaves", "objects", "templates", "name"} {
		names[key] = e.Name(key)
		values[key] = config.StringVariable(names[key])
	}
	variables := func(input string) config.Variables {
		return config.Variables{"names": config.MapVariable(values), "input": config.StringVariable(input)}
	}
	const leaves, objects, templates = "kuscia_app_image.leaves", "kuscia_app_image.objects", "kuscia_app_image.templates"
	container := tfjsonpath.New("deploy_templates").AtSliceIndex(0).AtMapKey("containers")
	open := func(address, attribute string) plancheck.PlanCheck {
		return plancheck.ExpectUnknownValue(address, tfjsonpath.New(attribute))
	}
	known := func(address, attribute string) plancheck.PlanCheck {
		return plancheck.ExpectKnownValue(address, tfjsonpath.New(attribute), knownvalue.StringRegexp(hash))
	}
	late := []plancheck.PlanCheck{
		plancheck.ExpectUnknownValue(leaves, tfjsonpath.New("image").AtMapKey("tag")),
		plancheck.ExpectUnknownValue(leaves, container.AtSliceIndex(0).AtMapKey("args").AtSliceIndex(1)),
		plancheck.ExpectKnownValue(leaves, container.AtSliceIndex(0).AtMapKey("resources").AtMapKey("requests"), knownvalue.Null()),
		open(leaves, "rollout_revision"), open(leaves, "definition_revision"),
		open(objects, "image"), open(objects, "rollout_revision"), open(objects, "definition_revision"),
		open(templates, "deploy_templates"), open(templates, "rollout_revision"), open(templates, "definition_revision"),
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckAppImageDestroyed(names["leaves"], names["objects"], names["templates"], names["name"]+"-0", names["name"]+"-1"),
		Steps: []resource.TestStep{
			{
				ConfigFile: acctest.File("unknown.tf"), ConfigVariables: variables("1"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: append([]plancheck.PlanCheck{
					plancheck.ExpectUnknownValue("kuscia_app_image.name[0]", tfjsonpath.New("name")),
					known("kuscia_app_image.name[0]", "rollout_revision"),
				}, late...)},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(leaves, tfjsonpath.New("image").AtMapKey("tag"), knownvalue.StringExact("1")),
					statecheck.ExpectKnownValue(leaves, container.AtSliceIndex(0).AtMapKey("resources").AtMapKey("limits").AtMapKey("cpu"), knownvalue.StringExact("0.1")),
					statecheck.ExpectKnownValue(objects, container.AtSliceIndex(1).AtMapKey("ports").AtSliceIndex(0).AtMapKey("protocol"), knownvalue.StringExact("HTTP")),
					statecheck.ExpectKnownValue(templates, tfjsonpath.New("deploy_templates").AtSliceIndex(1).AtMapKey("role"), knownvalue.StringExact("1")),
				},
			},
			{
				ConfigFile: acctest.File("unknown.tf"), ConfigVariables: variables("2"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: append([]plancheck.PlanCheck{
					plancheck.ExpectResourceAction(leaves, plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction(objects, plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction(templates, plancheck.ResourceActionUpdate),
				}, late...)},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(leaves, tfjsonpath.New("image").AtMapKey("tag"), knownvalue.StringExact("2")),
				},
			},
		},
	})
}
