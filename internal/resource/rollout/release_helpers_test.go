package rollout_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// releases is a Rollout with a workload of four pods, and the approval of its
// steps.
type releases struct {
	*bench
	approvals *crudtest.Server
}

// approvalObject lets crudtest serve the approval, which has no shortcuts.
type approvalObject struct{ crud.Shortcuts }

func (approvalObject) ResourceType() string           { return "kuscia_rollout_approval" }
func (approvalObject) NewResource() resource.Resource { return rollout.NewApprovalResource() }

// newPlans is a Rollout whose workload does not exist.
func newPlans(t *testing.T) *releases {
	t.Helper()
	return &releases{bench: newBench(t)}
}

// newReleases creates the workload. strategy is the update strategy in the
// KusciaDeployment; nil for none.
func newReleases(t *testing.T, strategy map[string]any) *releases {
	t.Helper()
	return newReleasesOn(t, acctest.NewKube(t), strategy)
}

func newReleasesOn(t *testing.T, k *acctest.Kube, strategy map[string]any) *releases {
	t.Helper()
	b := newBenchOn(t, k)
	for _, version := range []string{"v1", "v2", "v3", "broken"} {
		b.k.AppImage(b.name+"-"+version, "example/"+version, version, 4)
	}
	b.k.Sweep(b.name) // before its app images are deleted
	template := map[string]any{"spec": map[string]any{}, "replicas": int64(4)}
	if strategy != nil {
		template["strategy"] = strategy
	}
	b.k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": b.name},
		"spec": map[string]any{"initiator": domain, "inputConfig": "{}", "parties": []any{
			map[string]any{"domainID": domain, "appImageRef": b.name + "-v1", "template": template},
		}},
	}})
	r := &releases{bench: b, approvals: crudtest.NewServer(t, approvalObject{}, b.c)}
	r.pods("v1")
	return r
}

// said returns the diagnostics of a plan.
func (r *releases) said(t *testing.T, config definition.Value, prior crudtest.State) string {
	t.Helper()
	response, _ := r.Plan(t, config, prior)
	return crudtest.Messages(response.Diagnostics)
}

// steps returns a Rollout with three steps and with waiting, modified by with.
func (r *releases) steps(with tree) definition.Value {
	out := tree{"wait_for_healthy": true, "canary": tree{"steps": []any{tree{"replicas": "25%"}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}}
	maps.Copy(out, with)
	return r.config(out)
}

// image changes the image of the workload, as another client.
func (r *releases) image(version string) {
	r.k.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, r.name, types.JSONPatchType,
		fmt.Sprintf(`[{"op":"replace","path":"/spec/parties/0/appImageRef","value":%q}]`, r.name+"-"+version))
}

// pods waits until the Deployment has the image and all pods with it.
func (r *releases) pods(version string) {
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "at its pods of "+version, func(d *unstructured.Unstructured) bool { return runs(d, version) })
}

// hasImage reports whether a Deployment has the image of a version.
func hasImage(d *unstructured.Unstructured, version string) bool {
	if d == nil {
		return false
	}
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	return len(containers) > 0 && strings.HasSuffix(fmt.Sprint(containers[0].(map[string]any)["image"]), ":"+version)
}

// runs reports whether a Deployment has the image and four pods with it.
func runs(d *unstructured.Unstructured, version string) bool {
	if !hasImage(d, version) {
		return false
	}
	seen, _, _ := unstructured.NestedInt64(d.Object, "status", "observedGeneration")
	updated, _, _ := unstructured.NestedInt64(d.Object, "status", "updatedReplicas")
	ready, _, _ := unstructured.NestedInt64(d.Object, "status", "availableReplicas")
	return seen >= d.GetGeneration() && updated == 4 && ready >= 4
}

// scale changes the number of pods of the workload, as another client.
func (r *releases) scale(replicas int64) {
	r.k.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, r.name, types.JSONPatchType,
		fmt.Sprintf(`[{"op":"replace","path":"/spec/parties/0/template/replicas","value":%d}]`, replicas))
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "scaled", func(d *unstructured.Unstructured) bool {
		there, _, _ := unstructured.NestedInt64(d.Object, "status", "replicas")
		seen, _, _ := unstructured.NestedInt64(d.Object, "status", "observedGeneration")
		return there == replicas && seen == d.GetGeneration()
	})
}

// release returns the release of the Rollout.
func (r *releases) release(t *testing.T) kruise.Release {
	t.Helper()
	found, err := kruise.RolloutFrom(r.stored(t).Object)
	if err != nil {
		t.Fatal(err)
	}
	return found.Release()
}

// until waits for a situation, and for a step unless step is 0.
func (r *releases) until(t *testing.T, situation kruise.ReleaseState, step int32) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		release := r.release(t)
		if release.State == situation && (step == 0 || release.Step == step) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the release is %s, want %s at step %d", release, situation, step)
		}
	}
}

// paused starts a release and waits for its first pause.
func (r *releases) paused(t *testing.T) {
	t.Helper()
	r.image("v2")
	r.until(t, kruise.AwaitingApproval, 1)
}

// held starts a release and returns when the webhook has paused the Deployment, before
// the status of the Rollout shows it, for which the controller lags.
func (r *releases) held(t *testing.T) {
	t.Helper()
	r.quiet(t)
	r.k.SetLag(acctest.KruiseController, 4*time.Second)
	r.image("v2")
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "held", func(d *unstructured.Unstructured) bool {
		return d.GetAnnotations()["rollouts.kruise.io/in-progressing"] != ""
	})
	if at := r.release(t); at.State != kruise.Healthy {
		t.Fatalf("the status already shows the release: %s", at)
	}
}

// approval returns the configuration of an approval, modified by with.
func (r *releases) approval(t *testing.T, step int, with tree) definition.Value {
	t.Helper()
	out := tree{"namespace": domain, "name": r.name, "step": int64(step)}
	maps.Copy(out, with)
	return rollout.ApprovalDefinition.Encode(out)
}

// approves applies an approval, verifies it, and checks that nothing is said but what the plan says of
// the release.
func (r *releases) approves(t *testing.T, config definition.Value, prior crudtest.State) crudtest.State {
	t.Helper()
	state, said := r.approvals.ApplyAndVerify(t, config, prior)
	if !onlyGoesOn(said) {
		t.Errorf("the approval says %s", said)
	}
	return state
}

// onlyGoesOn reports whether an approval says nothing but what its plan says of the release.
func onlyGoesOn(said string) bool {
	return said == "" || strings.Count(said, "WARNING") == 1 && strings.Contains(said, "Release goes on") && !strings.Contains(said, "ERROR")
}

// newApprover returns a function that invokes kuscia_rollout_approve as the CLI does, and
// returns the progress messages and the diagnostics.
func newApprover(t *testing.T, k *acctest.Kube) func(config map[string]any) (progress []string, said string) {
	t.Helper()
	s := acctest.NewServer(t, k.Variables())
	return func(config map[string]any) ([]string, string) {
		t.Helper()
		progress, diagnostics := s.Invoke(t, "kuscia_rollout_approve", config)
		return progress, protocol.Messages(diagnostics)
	}
}

// strategyOf returns the diagnostics for a resource with which Kuscia sets the
// update strategy of a Deployment.
func strategyOf(t *testing.T, c *run.Run, name string) string {
	t.Helper()
	var diags diag.Diagnostics
	c.RecordStrategy(t.Context(), &diags, path.Root("parties"), domain, name, "Serving \"s\"")
	text := ""
	for _, d := range diags {
		text += d.Summary() + ": " + d.Detail()
	}
	return text
}

// changeOf returns the diagnostics for a resource that changes a Deployment.
func changeOf(c *run.Run, name string) diag.Diagnostics {
	var diags diag.Diagnostics
	c.PlannedWorkloads.RecordPodChange(&diags, path.Root("parties"), domain, name, "Serving \"s\"")
	return diags
}
