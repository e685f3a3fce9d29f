package examplestest_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// kruiseCluster is a cluster with OpenKruise Rollouts. Names in it are those of
// the examples, so that only the simulated one will do.
func kruiseCluster(t *testing.T) *acctest.Kube {
	t.Helper()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "the names of the examples are not unique")
	return k
}

// makeRollout makes a Rollout of three steps with a workload, for a data source
// or an approval.
func makeRollout(t *testing.T, k *acctest.Kube, name string) {
	t.Helper()
	for _, version := range []string{"1", "2"} {
		k.AppImage(name+"-"+version, "example/"+name, version, 4)
	}
	k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": name},
		"spec": map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{map[string]any{"domainID": "alice", "appImageRef": name + "-1"}}},
	}})
	step := func(replicas string) any { return map[string]any{"replicas": replicas, "pause": map[string]any{}} }
	k.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
			"strategy":    map[string]any{"canary": map[string]any{"steps": []any{step("25%"), step("50%"), step("75%"), step("100%")}}},
		},
	}})
	k.Eventually(acctest.KubeRollouts, "alice", name, "healthy", func(r *unstructured.Unstructured) bool { return statusText(r, "phase") == "Healthy" })
	k.Eventually(acctest.KubeDeployments, "alice", name, "running", func(d *unstructured.Unstructured) bool {
		n, _, _ := unstructured.NestedInt64(d.Object, "status", "availableReplicas")
		return n == 4
	})
}

func statusText(o *unstructured.Unstructured, fields ...string) string {
	if o == nil {
		return ""
	}
	text, _, _ := unstructured.NestedString(o.Object, append([]string{"status"}, fields...)...)
	return text
}

// beginRelease changes the image and waits for the pause after the first step.
func beginRelease(k *acctest.Kube, name string) {
	k.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name, types.JSONPatchType,
		fmt.Sprintf(`[{"op":"replace","path":"/spec/parties/0/appImageRef","value":%q}]`, name+"-2"))
	atStep(k, name, 1)
}

// atStep waits until the release is paused at a step.
func atStep(k *acctest.Kube, name string, step int64) {
	k.Eventually(acctest.KubeRollouts, "alice", name, fmt.Sprintf("paused at step %d", step), func(r *unstructured.Unstructured) bool {
		index, _, _ := unstructured.NestedInt64(r.Object, "status", "canaryStatus", "currentStepIndex")
		return index == step && statusText(r, "canaryStatus", "currentStepState") == "StepPaused"
	})
}

// manageKubernetes applies an example of Kubernetes objects and imports one of
// them in every way. others are the ids of the other resources by their addresses.
func manageKubernetes(t *testing.T, k *acctest.Kube, e example, address string, others map[string]string) {
	t.Helper()
	manageIn(t, e.workspace(t, acctest.Factories(k.Variables())), e, "", address, others).importAll(t)
}

func testRolloutDataSource(t *testing.T, e example) {
	k := acctest.NewKubeServer(t) // the name is not unique
	makeRollout(t, k, "glm")
	w := e.workspace(t, acctest.Factories(k.Variables()))
	w.Init()
	w.DestroyAtEnd()
	expectIn(t, w.Run(0, "apply", "-auto-approve"), `release = "healthy"`)
	w.Plan(acctest.PlanEmpty)
	beginRelease(k, "glm")
	expectIn(t, w.Run(0, "apply", "-auto-approve"), `release = "step 1 waits for an approval"`)
	w.Plan(acctest.PlanEmpty)
}

// testApproval approves nothing, the first step, then the second one, and imports what
// it did.
func testApproval(t *testing.T, e example) {
	k := kruiseCluster(t)
	makeRollout(t, k, "xgb")
	m := manageIn(t, e.workspace(t, acctest.Factories(k.Variables())), e, "", "kuscia_rollout_approval.xgb[0]", nil)
	approve := func(variables string) {
		t.Helper()
		m.w.Write("terraform.tfvars", variables+"\n")
		m.w.Apply()
		m.w.Plan(acctest.PlanEmpty)
	}
	beginRelease(k, "xgb")
	approve(`approved = { image = "xgb-2", step = 1 }`)
	atStep(k, "xgb", 2)
	m.imports(t)
	approve(`approved = { image = "xgb-2", step = 2 }`)
	atStep(k, "xgb", 3)
	approve("")
	m.w.Run(0, "destroy", "-auto-approve")
}

// testApproveAction invokes the second action of the example with each change of
// an object, as a trigger does.
func testApproveAction(t *testing.T, e example) {
	k := kruiseCluster(t)
	dir := e.folder(t, e.configuration, nil)
	write(t, filepath.Join(dir, "trigger.tf"), "resource \"terraform_data\" \"release\" {\n  input = \"2\"\n  lifecycle {\n    action_trigger {\n      events  = [after_create]\n      actions = [action.kuscia_rollout_approve.to_the_end]\n    }\n  }\n}\n")
	run(t, acctest.Factories(k.Variables()), resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		Steps: []resource.TestStep{{
			PreConfig: func() {
				makeRollout(t, k, "fraud")
				beginRelease(k, "fraud")
			},
			ConfigDirectory: config.StaticDirectory(dir),
			Check:           func(*terraform.State) error { atStep(k, "fraud", 3); return nil },
		}},
	})
}

// releaseGradually goes through the commands of the guide.
func releaseGradually(t *testing.T, k *acctest.Kube, e example) {
	t.Helper()
	env := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(env)
	for _, version := range []string{"1", "2"} {
		env.AppImage(func(image *kuscia.AppImage) { image.Name, image.Image.Tag = "scores-"+version, version })
	}
	w := e.workspace(t, env.OnCluster(k))
	w.Init()
	w.DestroyAtEnd()
	const image = "app_image = \"scores-2\"\n"
	approved := func(step int) string {
		return fmt.Sprintf("approved = { app_image = \"scores-2\", step = %d }\n", step)
	}
	for _, step := range []struct {
		variables, release string
		// plan is the exit code of a second plan: during a release the rollout of the serving
		// is not complete.
		plan int
		// pods are those of the new image.
		pods int64
	}{
		{"\n", "healthy", acctest.PlanEmpty, 4},
		{image, "step 1 waits for an approval", acctest.PlanDiffers, 1},
		{image + approved(1), "step 2 waits for an approval", acctest.PlanDiffers, 2},
		// A rollback, although the step stays approved; the image is released again.
		{approved(1), "healthy", acctest.PlanEmpty, 4},
		{image, "step 1 waits for an approval", acctest.PlanDiffers, 1},
		{image + approved(1), "step 2 waits for an approval", acctest.PlanDiffers, 2},
		{image + approved(2), "healthy", acctest.PlanEmpty, 4},
	} {
		w.Write("terraform.tfvars", step.variables)
		expectIn(t, w.Run(0, "apply", "-auto-approve"), fmt.Sprintf("release = %q", step.release))
		status, _, _ := unstructured.NestedMap(k.Get(acctest.KubeDeployments, "alice", "scores").Object, "status")
		if status["updatedReplicas"] != step.pods || status["availableReplicas"] != int64(4) {
			t.Errorf("with %q the Deployment has the status %v, want %d updated pods", step.variables, status, step.pods)
		}
		w.Plan(step.plan)
	}
}
