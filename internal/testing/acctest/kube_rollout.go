package acctest

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
)

// stepStateKept is the time after which the controller of Rollouts has written the
// status that it computed before a change of another client.
const stepStateKept = time.Second

// approvalLimit is the time in which the controller goes on after an approval, unless
// something else holds the release.
const approvalLimit = 20 * time.Second

// SetStepState sets the state of the current step of a release, as another client;
// StepReady approves the step. It is set again if the controller overwrites it with the
// status that it has read before, until the controller goes on or the state is kept.
func (k *Kube) SetStepState(namespace, name, state string) {
	k.t.Helper()
	style := "canary"
	if _, ok, _ := unstructured.NestedMap(k.Get(KubeRollouts, namespace, name).Object, "spec", "strategy", "blueGreen"); ok {
		style = "blueGreen"
	}
	read := func() (index, state any) {
		step, _, _ := unstructured.NestedFieldNoCopy(k.Get(KubeRollouts, namespace, name).Object, "status", style+"Status")
		fields, _ := step.(map[string]any)
		return fields["currentStepIndex"], fields["currentStepState"]
	}
	index, before := read()
	set := func() {
		k.Patch(KubeRollouts, namespace, name, types.MergePatchType, fmt.Sprintf(`{"status":{%q:{"currentStepState":%q}}}`, style+"Status", state), "status")
	}
	set()
	kept := stepStateKept
	if state == kruise.StepReady {
		kept = approvalLimit // a slow controller overwrites it later
	}
	for last := time.Now(); time.Since(last) < kept; time.Sleep(20 * time.Millisecond) {
		switch atIndex, now := read(); {
		case atIndex != index || now != before && now != state:
			return // the controller went on
		case now != state:
			set()
			last = time.Now()
		}
	}
}
