package appimage_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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
