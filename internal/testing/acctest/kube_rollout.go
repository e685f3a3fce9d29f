package acctest

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// stepStateKept is the time after which the controller of Rollouts has written the
// status that it computed before a change of another client.
const stepStateKept = time.Second

// SetStepState sets the state of the current step of a release, as another client;
// StepReady approves the step. It is set again if the controller overwrites it with the
// status that it has read before.
func (k *Kube) SetStepState(namespace, name, state string) {
	k.t.Helper()
	style := "canary"
	if _, ok, _ := unstructured.NestedMap(k.Get(KubeRollouts, namespace, name).Object, "spec", "strategy", "blueGreen"); ok {
		style = "blueGreen"
	}
	current := func() string {
		step, _, _ := unstructured.NestedFieldNoCopy(k.Get(KubeRollouts, namespace, name).Object, "status", style+"Status")
		fields, _ := step.(map[string]any)
		return fmt.Sprint(fields["currentStepIndex"], fields["currentStepState"])
	}
	before := current()
	set := func() {
		k.Patch(KubeRollouts, namespace, name, types.MergePatchType, fmt.Sprintf(`{"status":{%q:{"currentStepState":%q}}}`, style+"Status", state), "status")
	}
	set()
	for last := time.Now(); time.Since(last) < stepStateKept; time.Sleep(20 * time.Millisecond) {
		if current() == before {
			set()
			last = time.Now()
		}
	}
}
