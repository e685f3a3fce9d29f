package deployment_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type object = map[string]any

// rollout creates a Rollout with two steps for the Deployment in alice, and
// waits until it controls the Deployment, if that exists.
func (b *bench) rollout(t *testing.T, with object) {
	t.Helper()
	b.RequireKruise(t)
	canary := object{"steps": []any{object{"replicas": "25%", "pause": object{}}, object{"replicas": "100%", "pause": object{}}}}
	for name, value := range with {
		canary[name] = value
	}
	b.Kube.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: object{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"namespace": "alice", "name": b.name},
		"spec": object{"workloadRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": b.name}, "strategy": object{"canary": canary}},
	}})
	want := "Initial"
	if b.Get(acctest.KubeDeployments, "alice", b.name) != nil {
		want = "Healthy"
	}
	b.phase(want)
}

func (b *bench) phase(want string) {
	b.Eventually(acctest.KubeRollouts, "alice", b.name, want, func(o *unstructured.Unstructured) bool {
		return at(o, "status", "phase") == want
	})
}

// approve lets the release go on from its first step to its end.
func (b *bench) approve() {
	b.SetStepState("alice", b.name, kruise.StepReady)
	b.phase("Healthy")
	b.Eventually(acctest.KubeDeployments, "alice", b.name, "done", func(d *unstructured.Unstructured) bool {
		return at(d, "status", "updatedReplicas") == at(d, "spec", "replicas") && at(d, "status", "availableReplicas") == at(d, "spec", "replicas")
	})
}

func complete(state crudtest.State) bool {
	return definition.BoolOf(definition.FieldsOf(state.Value)["rollout_complete"])
}

// TestReleased: if a Rollout pauses a Deployment, the wait ends with a warning
// and the rollout is not complete until the release is over. Other parties, and
// changes that are no new version, are not paused.
func TestReleased(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		strategy tree
		canary   object
		config   string
		image    string
	}{
		"image, in place": {nil, nil, "{}", "-v2"},
		"configuration with a strategy, extra workload": {tree{"max_surge": "50%"}, object{"enableExtraWorkloadForCanary": true}, `{"a":1}`, ""},
		"image with Recreate, in place":                 {tree{"type": "Recreate"}, nil, "{}", "-v2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			config := func(text, image string, replicas int) definition.Value {
				alice := tree{"domain_id": "alice", "app_image": b.name + image, "replicas": int64(replicas), "update_strategy": nil}
				if test.strategy != nil {
					alice["update_strategy"] = test.strategy
				}
				return b.config(tree{"input_config": text, "parties": []any{alice, tree{"domain_id": "bob", "app_image": b.name + image}}}, nil)
			}
			state, _ := b.ApplyAndVerify(t, config("{}", "", 4), b.None())
			b.rollout(t, test.canary)
			state, said := b.Apply(t, config(test.config, test.image, 4), state)
			if complete(state) || strings.Contains(said, "ERROR") || !strings.Contains(said, "Deployment alice/"+b.name+" is paused by Rollout "+b.name+": paused at step 1 of 2") || strings.Contains(said, "bob/") {
				t.Errorf("held, complete is %t; says %s", complete(state), said)
			}
			if d := b.Get(acctest.KubeDeployments, "bob", b.name); at(d, "status", "updatedReplicas") != at(d, "spec", "replicas") {
				t.Error("the pods of bob were not waited for")
			}
			if changes, replaces := b.Changes(t, config(test.config, test.image, 4), state); fmt.Sprint(changes) != "[rollout_complete]" || replaces {
				t.Errorf("the next plan changes %v", changes)
			}
			b.approve()
			if _, state = b.Read(t, state); !complete(state) {
				t.Error("the release is over, and is not complete")
			}
			state, said = b.ApplyAndVerify(t, config(test.config, test.image, 2), state)
			if said != "" || !complete(state) {
				t.Errorf("another number of pods is released, too: %s", said)
			}
		})
	}
}

// TestReleasedWithoutGate: without a feature gate of OpenKruise Rollouts, the first step of
// a release in place never ends. The error of the wait names it.
func TestReleasedWithoutGate(t *testing.T) {
	t.Parallel()
	b := newBenchOn(t, acctest.NewKubeServerWithGates(t, "AdvancedDeployment=false"))
	config := func(image string) definition.Value {
		return b.config(tree{"timeouts": tree{"update": "5s"}, "parties": []any{tree{"domain_id": "alice", "app_image": b.name + image, "replicas": int64(4)}}}, nil)
	}
	state, _ := b.ApplyAndVerify(t, config(""), b.None())
	b.rollout(t, nil)
	state, said := b.Apply(t, config("-v2"), state)
	for _, part := range []string{"ERROR", "at step 1 of 2 (StepUpgrade), 0 pods of the new version", "runs with the feature gate AdvancedDeployment"} {
		if complete(state) || !strings.Contains(said, part) {
			t.Errorf("got diagnostics %s", said)
		}
	}
}

// TestBlueGreenAndStrategy: an update strategy for a Deployment that a Rollout releases
// blue-green is refused in the plan: the next release would break.
func TestBlueGreenAndStrategy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	config := func(image string, strategy any) definition.Value {
		return b.config(nil, tree{"app_image": b.name + image, "update_strategy": strategy})
	}
	state, _ := b.ApplyAndVerify(t, config("", nil), b.None())
	b.rollout(t, nil)
	b.Patch(acctest.KubeRollouts, "alice", b.name, types.MergePatchType, `{"spec":{"strategy":{"canary":null,"blueGreen":{"steps":[{"replicas":"50%","pause":{}},{"replicas":"100%","pause":{}}]}}}}`)
	const broken = "Blue-green does not work with this Deployment"
	for name, test := range map[string]struct {
		image    string
		strategy any
		refused  bool
	}{
		"a strategy":              {"", tree{"max_surge": "50%"}, true},
		"a strategy and an image": {"-v2", tree{"max_surge": "50%"}, true},
		"an image":                {"-v2", nil, false},
	} {
		b.again(t)
		plan, _ := b.Plan(t, config(test.image, test.strategy), state)
		if said := crudtest.Messages(plan.Diagnostics); strings.Contains(said, broken) != test.refused || test.refused && !strings.Contains(said, `ERROR: AttributeName("parties")`) {
			t.Errorf("%s: says %s", name, said)
		}
	}
}

// TestNotHeld: neither the create of a Deployment nor a Deployment without pods
// is released step by step.
func TestNotHeld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rollout(t, nil)
	state, said := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	if said != "" || !complete(state) {
		t.Errorf("a create under a Rollout: %s", said)
	}
	b.phase("Healthy")
	state, _ = b.ApplyAndVerify(t, b.config(nil, tree{"replicas": int64(0)}), state)
	if state, said = b.ApplyAndVerify(t, b.config(nil, tree{"replicas": int64(0), "app_image": b.name + "-v2"}), state); !complete(state) || strings.Contains(said, "held") {
		t.Errorf("without pods: %s", said)
	}
}

// TestNumbersAreNotTheEnd: desired replica counts do not end a release: one pod is
// new at the first step of 25%, and a rollback leaves pods of the version before it.
func TestNumbersAreNotTheEnd(t *testing.T) {
	t.Parallel()
	t.Run("one pod", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		config := func(image string) definition.Value {
			return b.config(nil, tree{"app_image": b.name + image, "replicas": int64(1)})
		}
		state, _ := b.ApplyAndVerify(t, config(""), b.None())
		b.rollout(t, nil)
		state, said := b.Apply(t, config("-v2"), state)
		if complete(state) || !strings.Contains(said, "is paused by Rollout "+b.name+": paused at step 1 of 2") {
			t.Errorf("complete is %t; says %s", complete(state), said)
		}
		b.approve()
		if _, state = b.Read(t, state); !complete(state) {
			t.Error("the release is over, and is not complete")
		}
	})
	t.Run("rolled back", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		config := func(image string) definition.Value {
			return b.config(nil, tree{"app_image": b.name + image, "replicas": int64(4)})
		}
		state, _ := b.ApplyAndVerify(t, config(""), b.None())
		b.rollout(t, object{"enableExtraWorkloadForCanary": true})
		state, _ = b.Apply(t, config("-v2"), state)
		if n := len(b.Kube.List(acctest.KubeDeployments, "alice", "rollouts.kruise.io/canary-deployment="+b.name)); n != 1 {
			t.Errorf("%d Deployments beside it during the release", n)
		}
		state, said := b.Apply(t, config(""), state)
		if n := len(b.Kube.List(acctest.KubeDeployments, "alice", "rollouts.kruise.io/canary-deployment="+b.name)); n != 0 || !complete(state) || said != "" {
			t.Errorf("%d Deployments beside it after the rollback, complete is %t; says %s", n, complete(state), said)
		}
	})
}

// TestReplacedDuringRelease: a replacement during a release warns that the next
// release would hang.
func TestReplacedDuringRelease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequirePlayed(t, "a delete that the server refuses")
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	b.rollout(t, nil)
	state, _ = b.Apply(t, b.config(nil, tree{"app_image": b.name + "-v2"}), state)
	other := b.config(nil, tree{"app_image": b.name + "-v2", "service_name_prefix": "other"})
	if plan, _ := b.Plan(t, other, state); !strings.Contains(crudtest.Messages(plan.Diagnostics), "is replaced during a release") {
		t.Errorf("the plan says %s", crudtest.Messages(plan.Diagnostics))
	}
	b.Fault(acctest.KubeFault{Verb: "delete", Resource: "kusciadeployments", Status: http.StatusForbidden, Times: 1})
	if _, said := b.Server.Delete(t, state); !strings.Contains(said, "Unable to delete") || strings.Contains(said, "was deleted") {
		t.Errorf("the refused delete says %s", said)
	}
	if gone, said := b.Server.Delete(t, state); !gone.Value.IsNull() || strings.Contains(said, "ERROR") || !strings.Contains(said, "was deleted during a release") || !strings.Contains(said, "-replace=kuscia_rollout.NAME") || !strings.Contains(said, "promote_on_destroy = true") {
		t.Errorf("the delete says %s", said)
	}
}

// TestKruiseDown: Kuscia cannot update a Deployment with a Rollout while
// Kruise's manager does not run; only the Deployment shows that.
func TestKruiseDown(t *testing.T) {
	t.Parallel()
	b := newBenchOn(t, acctest.NewKubeServer(t))
	state, _ := b.ApplyAndVerify(t, b.config(nil, tree{"replicas": int64(4)}), b.None())
	b.rollout(t, nil)
	b.StopController(acctest.KruiseController)
	next := tree{"app_image": b.name + "-v2", "replicas": int64(4)}
	state, said := b.Apply(t, b.config(tree{"timeouts": tree{"update": "3s"}}, next), state)
	if complete(state) || !strings.Contains(said, "still has the image example/app:v1") {
		t.Errorf("complete %t; says %s", complete(state), said)
	}
	b.StartController(acctest.KruiseController)
	if _, said = b.Apply(t, b.config(nil, next), state); !strings.Contains(said, "is paused by Rollout") {
		t.Errorf("with the manager again: %s", said)
	}
}
