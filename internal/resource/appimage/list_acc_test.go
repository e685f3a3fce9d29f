package appimage_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck/queryfilter"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// requireQuery skips the test with CLIs without `terraform query`. The list
// resource is also tested over the protocol (list_protocol_test.go).
func requireQuery(t *testing.T) {
	t.Helper()
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
}

// listBlock returns a query.
func listBlock(arguments, config attrs) string {
	attributes := attrs{"provider": acctest.Reference("kuscia"), "config": acctest.Nested(config)}
	maps.Copy(attributes, arguments)
	return acctest.TopLevel("list", []string{"kuscia_app_image", "test"}, attributes)
}

// TestAccAppImageList queries with the CLI: filters, limit, complete resources.
func TestAccAppImageList(t *testing.T) {
	t.Parallel()
	requireQuery(t)
	e := acctest.New(t)
	prefix := e.Name("query")
	for i := range 12 {
		e.AppImage(func(image *kuscia.AppImage) {
			image.Name = fmt.Sprintf("%s-%02d", prefix, i)
			image.Image.Name, image.Image.Tag = prefix+"/app", fmt.Sprint(i)
		})
	}
	const found = "kuscia_app_image.test"
	filter := attrs{"name_prefix": prefix + "-"}
	seventh := queryfilter.ByResourceIdentity(map[string]knownvalue.Check{"name": knownvalue.StringExact(prefix + "-07")})
	step := func(arguments, config attrs, checks ...querycheck.QueryResultCheck) resource.TestStep {
		return resource.TestStep{Query: true, Config: acctest.ProviderBlock(nil) + listBlock(arguments, config), QueryResultChecks: checks}
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			step(nil, filter,
				querycheck.ExpectLength(found, 12),
				querycheck.ExpectIdentity(found, map[string]knownvalue.Check{"name": knownvalue.StringExact(prefix + "-00")}),
				querycheck.ExpectResourceDisplayName(found, seventh, knownvalue.StringExact(prefix+"-07")),
			),
			step(attrs{"limit": 5}, filter,
				querycheck.ExpectLength(found, 5),
				querycheck.ExpectIdentity(found, map[string]knownvalue.Check{"name": knownvalue.StringExact(prefix + "-04")}),
				querycheck.ExpectNoIdentity(found, map[string]knownvalue.Check{"name": knownvalue.StringExact(prefix + "-05")}),
			),
			step(nil, attrs{"name_regex": "^" + prefix + "-0[0-3]$"}, querycheck.ExpectLength(found, 4)),
			step(nil, attrs{"name_prefix": prefix + "-", "image_name": prefix + "/other"}, querycheck.ExpectLength(found, 0)),
			step(attrs{"include_resource": true}, attrs{"image_name": prefix + "/app"},
				querycheck.ExpectLength(found, 12),
				querycheck.ExpectResourceKnownValues(found, seventh, []querycheck.KnownValueCheck{
					{Path: tfjsonpath.New("image").AtMapKey("tag"), KnownValue: knownvalue.StringExact("7")},
					{Path: tfjsonpath.New("rollout_revision"), KnownValue: knownvalue.StringRegexp(hash)},
				}),
			),
			{
				Query: true, Config: acctest.ProviderBlock(nil) + listBlock(nil, attrs{"name_regex": "["}),
				ExpectError: acctest.Words("Invalid regular expression", `missing closing \]`),
			},
		},
	})
}

// TestAccAppImageList_oldServer: the error names the required version and the
// version of the server.
func TestAccAppImageList_oldServer(t *testing.T) {
	t.Parallel()
	requireQuery(t)
	e := acctest.NewSandbox(t, sandbox.Options{Version: "v0.13.0b0"})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			Query: true, Config: acctest.ProviderBlock(nil) + listBlock(nil, nil),
			ExpectError: acctest.Words("Unable to list app images", `needs Kuscia v1\.0 or later, and this one is v0\.13\.0b0`),
		}},
	})
}

// TestAccAppImageList_generatedConfig: the CLI generates import blocks and
// configuration for the results of a query. They are valid, and the plan
// contains only the imports.
func TestAccAppImageList_generatedConfig(t *testing.T) {
	t.Parallel()
	requireQuery(t)
	e := acctest.New(t)
	w := e.NewWorkspace(t)
	prefix := e.Name("generate")
	const n = 3
	for i := range n {
		e.AppImage(func(image *kuscia.AppImage) {
			image.Name = fmt.Sprintf("%s-%d", prefix, i)
			if i == 0 {
				return
			}
			container := &image.DeployTemplates[0].Containers[0]
			container.Args = []string{"-c", "${HOME} \"quoted\" %{if}"}
			container.Env = []kuscia.EnvVar{{Name: "A"}, {Name: "B", Value: "line\nline"}}
			container.EnvFrom = []kuscia.EnvFromSource{{SecretRef: &kuscia.ObjectSource{Name: "keys"}}}
			container.Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: "0.5"}}
			container.ReadinessProbe = &kuscia.Probe{HTTPGet: &kuscia.HTTPGetAction{Path: "/", Port: "service"}, PeriodSeconds: 5}
			image.DeployTemplates[0].Replicas = int32(i)
		})
	}
	w.Write("main.tf", acctest.RequiredProvider+acctest.ProviderBlock(nil))
	w.Write("find.tfquery.hcl", listBlock(nil, attrs{"name_prefix": prefix}))
	w.Init()
	w.Run(0, "query", "-generate-config-out=generated.tf")
	if generated := w.Read("generated.tf"); strings.Count(generated, "identity = {") != n {
		t.Errorf("want %d imports by identity, got:\n%s", n, generated)
	}
	w.Run(0, "validate")
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", n)) {
		t.Errorf("the plan of the generated configuration is not empty:\n%s", plan)
	}
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}
