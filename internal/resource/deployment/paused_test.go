package deployment_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestPausedByRollout: a wait ends if a Rollout pauses the Deployment, and
// names the step. A status that an earlier release has left in the Rollout does
// not end a wait.
func TestPausedByRollout(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.RequireKruise(t)
	c.RequireSimulated(t, "a release takes half a minute in life")
	variables := c.Variables()
	r := protocol.NewServer(t, provider.NewServer(provider.Build{Version: "test"}, true,
		provider.WithEnvironment(func(name string) string { return variables[name] }))()).Configure(t, nil).Resource(t, "kuscia_deployment")
	config := func(image string) tftypes.Value {
		return protocol.Value(r.Kind, protocol.Object{"name": c.name, "initiator": "alice", "input_config": "{}", "parties": protocol.Object{
			"alice": protocol.Object{"app_image": image, "replicas": 4},
		}})
	}
	state := r.Create(t, config(c.name))
	c.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": c.name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": c.name},
			"strategy": map[string]any{"canary": map[string]any{"steps": []any{
				map[string]any{"replicas": "25%", "pause": map[string]any{}}, map[string]any{"replicas": "50%", "pause": map[string]any{}},
			}}},
		},
	}})
	release := func(object *unstructured.Unstructured) kruise.Release {
		found, err := kruise.RolloutFrom(object.Object)
		if err != nil {
			t.Fatal(err)
		}
		return found.Release()
	}
	until := func(situation kruise.ReleaseState) {
		t.Helper()
		c.Eventually(acctest.KubeRollouts, "alice", c.name, situation.String(), func(o *unstructured.Unstructured) bool { return release(o).State == situation })
	}
	apply := func(image, complete, says string) {
		t.Helper()
		var said string
		state, said = r.Apply(t, config(image), state)
		if got := protocol.Fields(state.Value)["rollout_complete"].String(); !strings.Contains(got, complete) || !strings.Contains(said, says) || (says == "") != (said == "") {
			t.Fatalf("rollout_complete is %s, and it says %s", got, said)
		}
	}
	until(kruise.Healthy)
	for range 2 {
		apply(c.name+"-v2", "false", "paused by Rollout \""+c.name+"\": paused at step 1 of 2 until it is approved")
		if at := release(c.Get(acctest.KubeRollouts, "alice", c.name)); at.State != kruise.AwaitingApproval || at.Step != 1 {
			t.Fatalf("the wait ended as held while the release was %s", at)
		}
		// The same plan waits again, and ends in the same way.
		apply(c.name+"-v2", "false", "is paused by a Rollout")
		apply(c.name, "true", "")
		until(kruise.Healthy)
	}
	apply(c.name+"-v2", "false", "the action kuscia_rollout_approve")
	c.Patch(acctest.KubeRollouts, "alice", c.name, types.MergePatchType, `{"spec":{"strategy":{"paused":true}}}`)
	until(kruise.Suspended)
	apply(c.name+"-v2", "false", "suspended by paused = true at step 1 of 2")
	c.Patch(acctest.KubeRollouts, "alice", c.name, types.MergePatchType, `{"spec":{"strategy":{"paused":false}}}`)
	for _, step := range []int32{1, 2} {
		c.Eventually(acctest.KubeRollouts, "alice", c.name, "paused", func(o *unstructured.Unstructured) bool {
			at := release(o)
			return at.State == kruise.AwaitingApproval && at.Step == step
		})
		c.SetStepState("alice", c.name, kruise.StepReady)
	}
	until(kruise.Healthy)
	apply(c.name+"-v2", "true", "")
	if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Error(said)
	}
}
