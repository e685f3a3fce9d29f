package appimage_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func TestAccAppImage_object(t *testing.T) {
	t.Parallel()
	acctest.TestObject(t, acctest.New, func(e *acctest.Env) acctest.Object { return object(e.Name("object")) })
}

func TestAccAppImage_minimal(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("minimal")
	requests := e.CountRequests()
	hcl := appImage{name: name}.hcl()
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{
			Config: hcl,
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(name)),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("rollout_revision"), knownvalue.StringRegexp(hash)),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("definition_revision"), knownvalue.StringRegexp(hash)),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("deploy_templates").AtSliceIndex(0).AtMapKey("replicas"), knownvalue.Int64Exact(1)),
			),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("config_templates"), knownvalue.Null()),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("deploy_templates").AtSliceIndex(0).AtMapKey("role"), knownvalue.Null()),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("deploy_templates").AtSliceIndex(0).AtMapKey("containers").AtSliceIndex(0).AtMapKey("liveness_probe"), knownvalue.Null()),
			},
			Check: onServer(e, name, func(image *kuscia.AppImage) error {
				if got := image.DeployTemplates[0].Replicas; got != 1 {
					return fmt.Errorf("replicas on the server: %d, want 1", got)
				}
				return nil
			}),
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    hcl, PlanOnly: true,
			Check: requests.ExpectNoWrites(),
		},
	))
}

func TestAccAppImage_full(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("full")
	variables := func(more config.Variables) config.Variables {
		out := config.Variables{"name": config.StringVariable(name)}
		for key, value := range more {
			out[key] = value
		}
		return out
	}
	container := tfjsonpath.New("deploy_templates").AtSliceIndex(0).AtMapKey("containers").AtSliceIndex(0)
	revision := statecheck.CompareValue(compare.ValuesDiffer())
	definition := statecheck.CompareValue(compare.ValuesSame())
	resource.Test(t, e.TestCase(object(name),
		resource.TestStep{
			ConfigFile: acctest.File("full.tf"), ConfigVariables: variables(nil),
			ConfigStateChecks: []statecheck.StateCheck{
				// The state keeps the user's spelling, independent of Kuscia's.
				statecheck.ExpectKnownValue(address, container.AtMapKey("resources").AtMapKey("limits").AtMapKey("cpu"), knownvalue.StringExact("0.5")),
				statecheck.ExpectKnownValue(address, container.AtMapKey("ports").AtSliceIndex(2).AtMapKey("scope"), knownvalue.StringExact("Local")),
				revision.AddStateValue(address, tfjsonpath.New("rollout_revision")),
				definition.AddStateValue(address, tfjsonpath.New("definition_revision")),
			},
			Check: onServer(e, name, func(image *kuscia.AppImage) error {
				got := image.DeployTemplates[0].Containers[0]
				if limits := got.Resources.Limits; limits.CPU != "500m" || limits.Memory != "1Gi" {
					return fmt.Errorf("limits on the server: %+v", limits)
				}
				if got.StartupProbe.TerminationGracePeriodSeconds != 7 || got.LivenessProbe.HTTPGet.HTTPHeaders[0].Value != "1" {
					return fmt.Errorf("probes on the server: %+v and %+v", got.StartupProbe, got.LivenessProbe)
				}
				return nil
			}),
		},
		resource.TestStep{
			// After an import, quantities have Kuscia's spelling.
			ResourceName: address, ImportState: true, ImportStateId: name,
			ConfigFile: acctest.File("full.tf"), ConfigVariables: variables(nil),
			ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "name",
			ImportStateVerifyIgnore: []string{
				"deploy_templates.0.containers.0.resources.limits.cpu",
				"deploy_templates.0.containers.0.resources.limits.memory",
				"deploy_templates.0.containers.0.resources.requests.memory",
			},
		},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateId: name,
			ConfigFile: acctest.File("full.tf"), ConfigVariables: variables(nil),
			ImportStateKind: resource.ImportBlockWithID,
		},
		resource.TestStep{
			ConfigFile: acctest.File("full.tf"), ConfigVariables: variables(config.Variables{"tag": config.StringVariable("0.3.0b0")}),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				changed{address: address, paths: []string{"image.tag", "rollout_revision"}},
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				revision.AddStateValue(address, tfjsonpath.New("rollout_revision")),
				definition.AddStateValue(address, tfjsonpath.New("definition_revision")),
			},
		},
	))
}

// TestAccAppImage_importByIdentity imports an app image that was not created by
// Terraform.
func TestAccAppImage_importByIdentity(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	name := e.AppImage(func(i *kuscia.AppImage) {
		i.Image = kuscia.AppImageInfo{Name: "example/app", Tag: "1"}
		i.ConfigTemplates = nil
		i.DeployTemplates = []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}}
	})
	byIdentity := func(name string) string {
		return acctest.ImportIdentity(address, map[string]any{"name": name})
	}
	test := e.TestCase(object(name),
		resource.TestStep{
			Config:      appImage{name: name}.hcl() + byIdentity("Not_A_Name"),
			ExpectError: acctest.Words("Invalid import ID", `"Not_A_Name" is not a name of an app image`),
		},
		resource.TestStep{
			Config: appImage{name: name}.hcl() + byIdentity(name),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectIdentityValueMatchesState(address, tfjsonpath.New("name")),
			},
		},
	)
	test.TerraformVersionChecks = acctest.IdentityVersions
	resource.Test(t, test)
}
