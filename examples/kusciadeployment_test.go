package examples_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// kubeWith is a Kubernetes API of the test's own, since the examples have fixed
// names, with app images of one container, main.
func kubeWith(t *testing.T, images ...string) *acctest.Kube {
	t.Helper()
	k := acctest.NewKubeServer(t)
	for _, name := range images {
		k.AppImage(name, "example/"+name, "v1", 1)
	}
	return k
}

// glm makes the KusciaDeployment that the examples ask for.
func glm(k *acctest.Kube) {
	k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": "glm", "labels": map[string]any{"kuscia.secretflow/app-type": "serving"}},
		"spec": map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{
			map[string]any{"domainID": "alice", "appImageRef": "secretflow-serving-image"},
		}},
	}})
	k.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, "glm", "available", func(kd *unstructured.Unstructured) bool {
		phase, _, _ := unstructured.NestedString(kd.Object, "status", "phase")
		return phase == "Available"
	})
}

// onCluster is a folder in which the CLI works with an example on a cluster.
func onCluster(t *testing.T, k *acctest.Kube, e example) *acctest.Workspace {
	t.Helper()
	w := workspace(t, fixedNames(t), e)
	w.Write("provider.tf", fmt.Sprintf("%s\nprovider \"kuscia\" {\n  kubernetes = { config_path = %q }\n}\n", providerSource(e), k.KubeconfigPath()))
	w.Init()
	return w
}

// providerSource is where the provider comes from, for examples that do not say.
func providerSource(e example) string {
	if slices.ContainsFunc(e.configuration, func(file string) bool { return strings.HasSuffix(file, "versions.tf") }) {
		return ""
	}
	return versions
}

// testDeployment applies the example, and imports it by command and with both
// blocks.
func testDeployment(t *testing.T, e example) {
	manageDeployment(t, kubeWith(t, "secretflow-serving-image"), e)
}

func manageDeployment(t *testing.T, k *acctest.Kube, e example) {
	t.Helper()
	m := &managed{example: e, w: onCluster(t, k, e), address: "kuscia_deployment.glm"}
	m.w.Apply()
	m.w.Plan(acctest.PlanEmpty)
	m.importAll(t)
}

// testDeploymentList finds the deployment, which is a serving as well.
func testDeploymentList(t *testing.T, e example) {
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
	k := kubeWith(t, "secretflow-serving-image")
	glm(k)
	if output := onCluster(t, k, e).Run(0, "query"); !strings.Contains(output, "glm") {
		t.Errorf("found:\n%s", output)
	}
}

func testDeploymentDataSource(t *testing.T, e example) {
	k := kubeWith(t, "secretflow-serving-image")
	glm(k)
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{
		statecheck.ExpectKnownOutputValue("pods", knownvalue.MapExact(map[string]knownvalue.Check{"alice/glm": knownvalue.StringExact("1 of 1")})),
	}
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{step}})
}

func testDeploymentsDataSource(t *testing.T, e example) {
	k := kubeWith(t, "secretflow-serving-image")
	glm(k)
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{
		statecheck.ExpectKnownOutputValue("not_available", knownvalue.MapSizeExact(0)),
		statecheck.ExpectKnownValue("data.kuscia_deployments.servings", tfjsonpath.New("deployments"), knownvalue.ListSizeExact(1)),
	}
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{step}})
}

// testKusciaDeployment applies the example and rolls another image out.
func testKusciaDeployment(t *testing.T, e example) {
	k := kubeWith(t, "psi-v1", "psi-v2")
	step := func(tag string, action plancheck.ResourceActionType) resource.TestStep {
		apply := e.apply(t)
		apply.ConfigVariables = config.Variables{"kubeconfig": config.StringVariable(k.KubeconfigPath()), "tag": config.StringVariable(tag)}
		apply.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{plancheck.ExpectResourceAction("kuscia_deployment.psi", action)}
		apply.ConfigStateChecks = []statecheck.StateCheck{
			statecheck.ExpectKnownOutputValue("deployments", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("alice/psi"), knownvalue.StringExact("bob/psi")})),
		}
		return apply
	}
	run(t, acctest.Factories(nil), resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_11_0)},
		Steps:                  []resource.TestStep{step("v1", plancheck.ResourceActionCreate), step("v2", plancheck.ResourceActionUpdate)},
	})
}

// testServingToDeployment moves a serving of the KusciaAPI: no pod is replaced.
// The deployment then does what a serving cannot, and clears the configuration.
func testServingToDeployment(t *testing.T, e example) {
	k, env := kubeWith(t), acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(env)
	makeAppImage(t, env, "glm-image")
	const serving = `
resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })
  parties              = [for domain in ["alice", "bob"] : { domain_id = domain, app_image = "glm-image", replicas = 2 }]
}
`
	provider := fmt.Sprintf("provider \"kuscia\" {\n  endpoint   = %q\n  kubernetes = { config_path = %q }\n}\n", env.Sandbox.Endpoint(), k.KubeconfigPath())
	dir := e.folder(t, e.configuration, nil)
	write(t, filepath.Join(dir, "provider.tf"), provider)
	cleared := e.folder(t, e.configuration, func(text string) string {
		return strings.Replace(text, `input_config = jsonencode({ modelId = "glm-1" })`, `input_config = ""`, 1)
	})
	write(t, filepath.Join(cleared, "provider.tf"), provider)
	var before int64
	generation := func() int64 { return k.Get(acctest.KubeDeployments, "alice", "glm").GetGeneration() }
	run(t, acctest.Factories(nil), resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_7_0)},
		Steps: []resource.TestStep{
			{Config: versions + provider + serving, Check: func(*terraform.State) error { before = generation(); return nil }},
			{
				ConfigDirectory:  config.StaticDirectory(dir),
				ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				Check: func(*terraform.State) error {
					if now := generation(); now != before {
						return fmt.Errorf("the Deployment has the generation %d, and had %d", now, before)
					}
					return nil
				},
			},
			{
				ConfigDirectory:  config.StaticDirectory(cleared),
				ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				Check: func(*terraform.State) error {
					kd := k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, "glm")
					if text, _, _ := unstructured.NestedString(kd.Object, "spec", "inputConfig"); text != "" || generation() == before {
						return fmt.Errorf("the configuration is %q", text)
					}
					return nil
				},
			},
		},
	})
}
