package examplestest_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

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

// glm makes the KusciaDeployment that the examples ask for, as a serving.
func glm(k *acctest.Kube) {
	createKusciaDeployment(k, "glm", "secretflow-serving-image", map[string]any{"kuscia.secretflow/app-type": "serving"})
	k.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, "glm", "available", func(kd *unstructured.Unstructured) bool {
		return statusText(kd, "phase") == "Available"
	})
}

func createKusciaDeployment(k *acctest.Kube, name, appImage string, labels map[string]any) {
	k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": name, "labels": labels},
		"spec":     map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{map[string]any{"domainID": "alice", "appImageRef": appImage}}},
	}})
}

// makeObjectsToRead makes what data sources ask a cluster for: a serving that runs,
// one that does not, a KusciaDeployment that is no serving, and a TrafficRouting.
func makeObjectsToRead(k *acctest.Kube) {
	glm(k)
	k.AppImage("broken", "example/broken", "v1", 1)
	createKusciaDeployment(k, "xgb", "broken", map[string]any{"kuscia.secretflow/app-type": "serving"})
	createKusciaDeployment(k, "psi", "broken", nil)
	k.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, "xgb", "started", func(kd *unstructured.Unstructured) bool {
		return statusText(kd, "phase") != ""
	})
	k.Create(acctest.KubeTrafficRoutings, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1alpha1", "kind": "TrafficRouting", "metadata": map[string]any{"namespace": "alice", "name": "gray"},
		"spec": map[string]any{
			"objectRef": []any{map[string]any{"service": "gray-service", "ingress": map[string]any{"name": "gray"}}}, "strategy": map[string]any{"weight": int64(5)},
		},
	}})
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

// testDeploymentList finds the deployment, which is a serving as well.
func testDeploymentList(t *testing.T, e example) {
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
	k := kubeWith(t, "secretflow-serving-image")
	glm(k)
	if output := onCluster(t, k, e).Run(0, "query"); !strings.Contains(output, "glm") {
		t.Errorf("found:\n%s", output)
	}
}

// testKusciaDeployment applies the example and rolls another image out.
func testKusciaDeployment(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	k := kubeWith(t, "psi-v1", "psi-v2")
	w := e.workspace(t, acctest.Factories(nil))
	w.Init()
	w.DestroyAtEnd()
	for _, step := range []struct{ tag, planned string }{
		{"v1", "# kuscia_deployment.psi will be created"}, {"v2", "# kuscia_deployment.psi will be updated in-place"},
	} {
		w.Write("terraform.tfvars", fmt.Sprintf("kubeconfig = %q\ntag = %q\n", k.KubeconfigPath(), step.tag))
		expectIn(t, w.Run(0, "apply", "-auto-approve"), step.planned, `deployments = tolist([ "alice/psi", "bob/psi", ])`)
		w.Plan(acctest.PlanEmpty)
	}
}

// testServingToDeployment moves a serving of the KusciaAPI: no pod is replaced.
// The deployment then does what a serving cannot, and clears the configuration.
func testServingToDeployment(t *testing.T, e example) {
	acctest.RequireRemovedBlocks(t)
	k, env := kubeWith(t), acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(env)
	serving := string(e.read(t, path.Join(e.dir, "before", "main.tf")))
	w := e.workspace(t, acctest.Factories(nil))
	documented := string(e.read(t, path.Join(e.dir, "main.tf")))
	w.Write("provider.tf", fmt.Sprintf("provider \"kuscia\" {\n  endpoint   = %q\n  kubernetes = { config_path = %q }\n}\n", env.Sandbox.Endpoint(), k.KubeconfigPath()))
	apply := func(configuration string) (generation int64) {
		t.Helper()
		w.Write("main.tf", configuration)
		w.Apply()
		w.Plan(acctest.PlanEmpty)
		return k.Get(acctest.KubeDeployments, "alice", "glm").GetGeneration()
	}
	w.Init()
	w.DestroyAtEnd()
	before := apply(serving)
	if now := apply(documented); now != before {
		t.Errorf("the Deployment has the generation %d, and had %d", now, before)
	}
	const config = `input_config = jsonencode({ modelId = "glm-1" })`
	if !strings.Contains(documented, config) {
		t.Fatalf("the example has no %s", config)
	}
	now := apply(strings.Replace(documented, config, `input_config = ""`, 1))
	kd := k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, "glm")
	if text, _, _ := unstructured.NestedString(kd.Object, "spec", "inputConfig"); text != "" || now == before {
		t.Errorf("the configuration is %q", text)
	}
}

// testAppImages applies what the other examples need.
func testAppImages(t *testing.T, e example) {
	env := fixedNames(t)
	w := e.workspace(t, env.ProtoV6ProviderFactories())
	w.Write("terraform.tfvars", string(e.read(t, path.Join(e.dir, "sandbox.tfvars"))))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if made := env.Sandbox.AppImageNames(); !slices.Equal(made, []string{"psi-v1", "scores-1", "scores-2", "secretflow-serving-image"}) {
		t.Errorf("made %v", made)
	}
}
