package deployment_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type object = map[string]any

// The styles of a Rollout, as its strategy names them.
const (
	styleCanary    = "canary"
	styleBlueGreen = "blueGreen"
)

// extraWorkload has a canary release run its new pods in a Deployment of their own.
var extraWorkload = object{"enableExtraWorkloadForCanary": true}

// rolloutOf creates a Rollout with two steps for the Deployment in alice, and
// waits until it controls the Deployment, if that exists.
func (b *bench) rolloutOf(t *testing.T, style string, with object) {
	t.Helper()
	b.RequireKruise(t)
	fields := object{"steps": []any{object{"replicas": "25%", "pause": object{}}, object{"replicas": "100%", "pause": object{}}}}
	maps.Copy(fields, with)
	b.Kube.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: object{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"namespace": "alice", "name": b.name},
		"spec": object{"workloadRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": b.name}, "strategy": object{style: fields}},
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

// approve lets the release go on from its first step to its end. Only blue-green
// pauses at a last step of 100%, too.
func (b *bench) approve(style string) {
	b.SetStepState("alice", b.name, kruise.StepReady)
	if style == styleBlueGreen {
		b.Eventually(acctest.KubeRollouts, "alice", b.name, "paused at step 2", func(o *unstructured.Unstructured) bool {
			return at(o, "status", "blueGreenStatus", "currentStepIndex") == int64(2) && at(o, "status", "blueGreenStatus", "currentStepState") == kruise.StepPaused
		})
		b.SetStepState("alice", b.name, kruise.StepReady)
	}
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
// changes that are no new version, are not paused. The pods of a blue-green release
// are not available before its end.
func TestReleased(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		strategy tree
		style    string
		with     object
		config   string
		image    string
		// paused is the status of the party while the release is paused: its phase and
		// the number of available pods.
		paused string
	}{
		"configuration with Recreate, extra workload": {tree{"type": "Recreate"}, styleCanary, extraWorkload, `{"a":1}`, "", "Available 4"},
		"image, blue-green":                           {nil, styleBlueGreen, nil, "{}", "-v2", "Progressing 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			config := func(text, image string, replicas int) definition.Value {
				alice := tree{"app_image": b.name + image, "replicas": int64(replicas), "update_strategy": nil}
				if test.strategy != nil {
					alice["update_strategy"] = test.strategy
				}
				return b.config(tree{"input_config": text, "parties": tree{"alice": alice, "bob": tree{"app_image": b.name + image}}, "timeouts": tree{"update": "5m"}}, nil)
			}
			state, _ := b.ApplyAndVerify(t, config("{}", "", 4), b.None())
			b.rolloutOf(t, test.style, test.with)
			state, said := b.Apply(t, config(test.config, test.image, 4), state)
			if complete(state) || strings.Contains(said, "ERROR") || !strings.Contains(said, "Deployment \"alice/"+b.name+"\" is paused by Rollout \""+b.name+"\": paused at step 1 of 2") || strings.Contains(said, "bob/") {
				t.Errorf("held, complete is %t; says %s", complete(state), said)
			}
			once := func(when string) {
				if n := revision(state, "alice"); n != 2 { // it rises with the start of the release alone
					t.Errorf("%s pod_revision is %d", when, n)
				}
			}
			once("while the release is paused")
			if d := b.Get(acctest.KubeDeployments, "bob", b.name); at(d, "status", "updatedReplicas") != at(d, "spec", "replicas") {
				t.Error("the pods of bob were not waited for")
			}
			b.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, test.paused, func(kd *unstructured.Unstructured) bool {
				alice, _ := at(kd, "status", "partyDeploymentStatuses", "alice", b.name).(object)
				return fmt.Sprint(alice["phase"], " ", alice["availableReplicas"]) == test.paused
			})
			b.onlyChecksAgain(t, config(test.config, test.image, 4), state)
			b.approve(test.style)
			if _, state = b.Read(t, state); !complete(state) {
				t.Error("the release is over, and is not complete")
			}
			once("after the release")
			if kind := at(b.Get(acctest.KubeDeployments, "alice", b.name), "spec", "strategy", "type"); kind != cmp.Or(test.strategy["type"], any("RollingUpdate")) {
				t.Errorf("after the release the update strategy is %v", kind)
			}
			state, said = b.ApplyAndVerify(t, config(test.config, test.image, 2), state)
			if said != "" || !complete(state) {
				t.Errorf("another number of pods is released, too: %s", said)
			}
			once("with another number of pods")
		})
	}
}

// onlyChecksAgain checks that the next apply of a paused release writes nothing.
func (b *bench) onlyChecksAgain(t *testing.T, config definition.Value, state crudtest.State) {
	t.Helper()
	if changes, replaces := b.Changes(t, config, state); fmt.Sprint(changes) != "[rollout_complete]" || replaces {
		t.Errorf("the next plan changes %v", changes)
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
	b.rolloutOf(t, styleBlueGreen, nil)
	const broken = "Blue-green does not work with the Deployment"
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

// TestReplacedDuringRelease: a replacement during a release warns that the next
// release would hang, and that the canary Deployment stays, which it does.
func TestReplacedDuringRelease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "a delete that the server refuses")
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	b.rolloutOf(t, styleCanary, extraWorkload)
	state, _ = b.Apply(t, b.config(nil, tree{"app_image": b.name + "-v2"}), state)
	other := b.config(nil, tree{"app_image": b.name + "-v2", "service_name_prefix": "other"})
	if plan, _ := b.Plan(t, other, state); !strings.Contains(crudtest.Messages(plan.Diagnostics), "is replaced during a release") {
		t.Errorf("the plan says %s", crudtest.Messages(plan.Diagnostics))
	}
	canaries := func() (names []string) {
		for _, d := range b.Kube.List(acctest.KubeDeployments, "alice", "") {
			if strings.HasPrefix(d.GetName(), b.name+"-") {
				names = append(names, d.GetName())
			}
		}
		return names
	}
	b.Fault(acctest.KubeFault{Verb: "delete", Resource: "kusciadeployments", Status: http.StatusForbidden, Times: 1})
	if _, said := b.Server.Delete(t, state); !strings.Contains(said, "Unable to delete") || strings.Contains(said, "was deleted") {
		t.Errorf("the refused delete says %s", said)
	}
	gone, said := b.Server.Delete(t, state)
	if !gone.Value.IsNull() || strings.Contains(said, "ERROR") || !strings.Contains(said, "was deleted during a release") || !strings.Contains(said, "-replace=kuscia_rollout.NAME") || !strings.Contains(said, "promote_on_destroy = true") {
		t.Errorf("the delete says %s", said)
	}
	if left := canaries(); len(left) != 1 || !strings.Contains(said, "the canary Deployment and its pods also keep running") {
		t.Errorf("the Deployments %q are left, and the delete says %s", left, said)
	}
}
