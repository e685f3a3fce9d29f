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

// testKubernetes applies an example of Kubernetes objects and imports one of
// them in every way. others are the ids of the other resources by their addresses.
func testKubernetes(address string, others map[string]string) func(t *testing.T, e example) {
	return func(t *testing.T, e example) {
		k := kruiseCluster(t)
		manageKubernetes(t, k, e, address, others)
		t.Run("import by identity", func(t *testing.T) {
			run(t, acctest.Factories(k.Variables()), resource.TestCase{
				TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
				Steps:                  append([]resource.TestStep{e.apply(t)}, e.imported(t, address, e.importIdentity, others)...),
			})
		})
	}
}

func manageKubernetes(t *testing.T, k *acctest.Kube, e example, address string, others map[string]string) {
	t.Helper()
	steps := append([]resource.TestStep{e.apply(t), e.importedByCommand(t, address)}, e.imported(t, address, e.importBlock, others)...)
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: steps})
}

// importedByCommand imports a resource with the id of the example's command.
func (e example) importedByCommand(t *testing.T, address string) resource.TestStep {
	t.Helper()
	return resource.TestStep{
		ConfigDirectory: config.StaticDirectory(e.folder(t, e.configuration, nil)), ConfigVariables: e.variables, ResourceName: address, ImportState: true,
		ImportStateId: e.commandID(t, address), ImportStateVerify: true, ImportStateVerifyIgnore: []string{"wait_for_healthy", "revision", "triggers"},
	}
}

// imported lets Terraform forget everything, and imports it with a block of the
// example, and one for each other resource.
func (e example) imported(t *testing.T, address, file string, others map[string]string) []resource.TestStep {
	t.Helper()
	forget, again := e.folder(t, nil, nil), e.folder(t, append(slices.Clone(e.configuration), file), nil)
	removed := "removed {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}\n"
	block, _, _ := strings.Cut(address, "[")
	forgotten, blocks := fmt.Sprintf(removed, block), ""
	planned := []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)}
	for other, id := range others {
		forgotten += fmt.Sprintf(removed, other)
		blocks += acctest.ImportInto(other, id)
		planned = append(planned, plancheck.ExpectResourceAction(other, plancheck.ResourceActionNoop))
	}
	write(t, filepath.Join(forget, "removed.tf"), forgotten)
	write(t, filepath.Join(again, "others.tf"), blocks)
	return []resource.TestStep{
		{ConfigDirectory: config.StaticDirectory(forget)},
		{ConfigDirectory: config.StaticDirectory(again), ConfigVariables: e.variables, ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: planned, PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		}},
	}
}

func testRolloutDataSource(t *testing.T, e example) {
	k := kruiseCluster(t)
	makeRollout(t, k, "credit")
	step, later := e.apply(t), e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("release", knownvalue.StringExact("healthy"))}
	later.PreConfig = func() { beginRelease(k, "credit") }
	later.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("release", knownvalue.StringExact("step 1 waits for an approval"))}
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{step, later}})
}

func testTrafficRoutingDataSource(t *testing.T, e example) {
	k := kruiseCluster(t)
	k.Create(acctest.KubeTrafficRoutings, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1alpha1", "kind": "TrafficRouting", "metadata": map[string]any{"namespace": "alice", "name": "blue"},
		"spec": map[string]any{
			"objectRef": []any{map[string]any{"service": "blue-service", "ingress": map[string]any{"name": "blue"}}}, "strategy": map[string]any{"weight": int64(5)},
		},
	}})
	step := e.apply(t)
	step.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("routed_services", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("blue-service")}))}
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: []resource.TestStep{step}})
}

// testApproval approves nothing, the first step, then the second one, and imports what
// it did.
func testApproval(t *testing.T, e example) {
	const address = "kuscia_rollout_approval.xgb[0]"
	k := kruiseCluster(t)
	makeRollout(t, k, "xgb")
	approved := func(step int) config.Variables {
		return config.Variables{"approved": config.ObjectVariable(map[string]config.Variable{"image": config.StringVariable("xgb-2"), "step": config.IntegerVariable(step)})}
	}
	none := e.apply(t)
	e.variables = approved(1)
	first, second := e.apply(t), e.apply(t)
	first.PreConfig = func() { beginRelease(k, "xgb") }
	first.Check = func(*terraform.State) error { atStep(k, "xgb", 2); return nil }
	second.ConfigVariables = approved(2)
	second.Check = func(*terraform.State) error { atStep(k, "xgb", 3); return nil }
	steps := append([]resource.TestStep{none, first, e.importedByCommand(t, address)}, e.imported(t, address, e.importBlock, nil)...)
	run(t, acctest.Factories(k.Variables()), resource.TestCase{Steps: append(steps, second, none)})
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

// testGradualRelease goes through the commands of the guide.
func testGradualRelease(t *testing.T, e example) { releaseGradually(t, kruiseCluster(t), e) }

func releaseGradually(t *testing.T, k *acctest.Kube, e example) {
	t.Helper()
	env := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(env)
	for _, version := range []string{"1", "2"} {
		env.AppImage(func(image *kuscia.AppImage) { image.Name, image.Image.Tag = "scores-"+version, version })
	}
	// updated checks the number of pods of the new image.
	updated := func(want int64) resource.TestCheckFunc {
		return func(*terraform.State) error {
			status, _, _ := unstructured.NestedMap(k.Get(acctest.KubeDeployments, "alice", "scores").Object, "status")
			if status["updatedReplicas"] != want || status["availableReplicas"] != int64(4) {
				return fmt.Errorf("the Deployment has the status %v, want %d updated pods", status, want)
			}
			return nil
		}
	}
	// During the release the rollout of the serving is not complete, which a plan shows.
	step := func(says string, variables config.Variables, held bool, pods int64) resource.TestStep {
		s := e.apply(t)
		s.ConfigVariables, s.Check = variables, updated(pods)
		if held {
			s.ConfigPlanChecks, s.ExpectNonEmptyPlan = resource.ConfigPlanChecks{}, true
		}
		s.ConfigStateChecks = []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("release", knownvalue.StringExact(says))}
		return s
	}
	variables := func(image string, approved int) config.Variables {
		return config.Variables{"app_image": config.StringVariable(image), "approved": config.ObjectVariable(map[string]config.Variable{
			"app_image": config.StringVariable("scores-2"), "step": config.IntegerVariable(approved),
		})}
	}
	run(t, env.OnCluster(k), resource.TestCase{Steps: []resource.TestStep{
		step("healthy", nil, false, 4),
		step("step 1 waits for an approval", config.Variables{"app_image": config.StringVariable("scores-2")}, true, 1),
		step("step 2 waits for an approval", variables("scores-2", 1), true, 2),
		// A rollback, although the step stays approved; the image is released again.
		step("healthy", variables("scores-1", 1), false, 4),
		step("step 1 waits for an approval", config.Variables{"app_image": config.StringVariable("scores-2")}, true, 1),
		step("step 2 waits for an approval", variables("scores-2", 1), true, 2),
		step("healthy", variables("scores-2", 2), false, 4),
	}})
}
