package deployment_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type object = map[string]any

// rollout makes a Rollout of the Deployment in alice, with two steps, and waits
// until it has taken the Deployment up, if there is one.
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
	b.Patch(acctest.KubeRollouts, "alice", b.name, types.MergePatchType, `{"status":{"canaryStatus":{"currentStepState":"StepReady"}}}`, "status")
	b.phase("Healthy")
	b.Eventually(acctest.KubeDeployments, "alice", b.name, "done", func(d *unstructured.Unstructured) bool {
		return at(d, "status", "updatedReplicas") == at(d, "spec", "replicas") && at(d, "status", "availableReplicas") == at(d, "spec", "replicas")
	})
}

func complete(state crudtest.State) bool {
	return definition.BoolOf(definition.FieldsOf(state.Value)["rollout_complete"])
}

// TestReleased: what a Rollout holds ends the wait with a warning, is not complete,
// and is once the release is over. Other parties are not held, and what is no
// new version is not.
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
			state, _ := b.Settled(t, config("{}", "", 4), b.None())
			b.rollout(t, test.canary)
			state, said := b.Apply(t, config(test.config, test.image, 4), state)
			if complete(state) || strings.Contains(said, "ERROR") || !strings.Contains(said, "Deployment alice/"+b.name+" is held by Rollout "+b.name+": paused at step 1 of 2") || strings.Contains(said, "bob/") {
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
			state, said = b.Settled(t, config(test.config, test.image, 2), state)
			if said != "" || !complete(state) {
				t.Errorf("another number of pods is released, too: %s", said)
			}
		})
	}
}

// TestNotHeld: the first creation of a Deployment is never released step by step,
// nor is one without pods.
func TestNotHeld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rollout(t, nil)
	state, said := b.Settled(t, b.config(nil, nil), b.None())
	if said != "" || !complete(state) {
		t.Errorf("a create under a Rollout: %s", said)
	}
	b.phase("Healthy")
	state, _ = b.Settled(t, b.config(nil, tree{"replicas": int64(0)}), state)
	if state, said = b.Settled(t, b.config(nil, tree{"replicas": int64(0), "app_image": b.name + "-v2"}), state); !complete(state) || strings.Contains(said, "held") {
		t.Errorf("without pods: %s", said)
	}
}

// TestReplacedDuringRelease: what a release leaves behind lets the next one hang,
// and is warned of.
func TestReplacedDuringRelease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.Settled(t, b.config(nil, nil), b.None())
	b.rollout(t, nil)
	state, _ = b.Apply(t, b.config(nil, tree{"app_image": b.name + "-v2"}), state)
	other := b.config(nil, tree{"app_image": b.name + "-v2", "service_name_prefix": "other"})
	if plan, _ := b.Plan(t, other, state); !strings.Contains(crudtest.Messages(plan.Diagnostics), "is replaced during a release") {
		t.Errorf("the plan says %s", crudtest.Messages(plan.Diagnostics))
	}
	if gone, said := b.Server.Delete(t, state); !gone.Value.IsNull() || strings.Contains(said, "ERROR") || !strings.Contains(said, "was deleted during a release") || !strings.Contains(said, "-replace=kuscia_rollout.NAME") || !strings.Contains(said, "promote_on_destroy = true") {
		t.Errorf("the delete says %s", said)
	}
}

// TestKruiseDown: an update of a Deployment that has a Rollout cannot be written
// while Kruise's manager is down, which nothing shows but the Deployment.
func TestKruiseDown(t *testing.T) {
	t.Parallel()
	b := newBenchOn(t, acctest.NewKubeServer(t))
	state, _ := b.Settled(t, b.config(nil, tree{"replicas": int64(4)}), b.None())
	b.rollout(t, nil)
	b.StopController(acctest.KruiseController)
	next := tree{"app_image": b.name + "-v2", "replicas": int64(4)}
	state, said := b.Apply(t, b.config(tree{"timeouts": tree{"update": "3s"}}, next), state)
	if complete(state) || !strings.Contains(said, "still has the image example/app:v1") {
		t.Errorf("complete %t; says %s", complete(state), said)
	}
	b.StartController(acctest.KruiseController)
	if _, said = b.Apply(t, b.config(nil, next), state); !strings.Contains(said, "is held by Rollout") {
		t.Errorf("with the manager again: %s", said)
	}
}
