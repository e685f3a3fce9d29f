package deployment

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// rolloutKinds are OpenKruise's, the preferred one first.
var rolloutKinds = []kube.Kind{
	{Group: kruise.Group, Version: kruise.V1Beta1, Resource: kruise.RolloutResource, Kind: kruise.RolloutKind},
	{Group: kruise.Group, Version: kruise.V1Alpha1, Resource: kruise.RolloutResource, Kind: kruise.RolloutKind},
}

// held describes where Rollouts hold the Deployments that are not done; "" as
// long as one of them moves on by itself.
func (w *watch) held(ctx context.Context, seen *sight) string {
	var lines []string
	for _, p := range seen.parties {
		if p.verdict.Done {
			continue
		}
		where, holds := w.heldAt(ctx, p.expected.Namespace, p.verdict.HeldBy)
		if !holds {
			return ""
		}
		lines = append(lines, fmt.Sprintf("Deployment %s/%s is held by Rollout %s%s (%s)", p.expected.Namespace, p.expected.Name, p.verdict.HeldBy, where, p.verdict.Text))
	}
	return w.client.Masker(ctx).Text(strings.Join(lines, "; "))
}

// heldAt is the step at which a Rollout waits for somebody.
func (w *watch) heldAt(ctx context.Context, namespace, name string) (where string, holds bool) {
	kind, served, err := w.client.FirstServed(ctx, rolloutKinds...)
	if err != nil || !served {
		return "", time.Since(w.began) > heldSoon
	}
	object, err := w.client.Get(ctx, kind, namespace, name)
	if err != nil {
		return "", time.Since(w.began) > heldSoon
	}
	if paused, _, _ := unstructured.NestedBool(object.Object, "spec", "strategy", "paused"); paused {
		return ", which is paused as a whole (spec.strategy.paused)", true
	}
	for _, status := range [][]string{{"status", "canaryStatus"}, {"status", "blueGreenStatus"}} {
		state, found, _ := unstructured.NestedString(object.Object, append(status, "currentStepState")...)
		if !found {
			continue
		}
		step, _, _ := unstructured.NestedInt64(object.Object, append(status, "currentStepIndex")...)
		return fmt.Sprintf(" at step %d", step), state == "StepPaused" && !ticks(object, step)
	}
	return "", false
}

// ticks reports whether a step ends by itself after some time.
func ticks(object *unstructured.Unstructured, step int64) bool {
	for _, style := range []string{"canary", "blueGreen"} {
		steps, _, _ := unstructured.NestedSlice(object.Object, "spec", "strategy", style, "steps")
		if step < 1 || int(step) > len(steps) {
			continue
		}
		entry, _ := steps[step-1].(map[string]any)
		duration, found, _ := unstructured.NestedInt64(entry, "pause", "duration")
		return found && duration > 0
	}
	return false
}
