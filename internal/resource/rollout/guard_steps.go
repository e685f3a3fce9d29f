package rollout

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
)

// checkStepsChange checks a change of the steps during a release. The controller
// then chooses a step with at least as many pods as it has requested for the new
// version: the current one again, or another one without an approval
// (stepFor).
func (g *guardRun) checkStepsChange(at path.Path, now *object, release kruise.Release) {
	before, desired := now.Spec.Strategy, g.change.Desired.Spec.Strategy
	if !restartsStep(before, desired) || g.change.Desired.Spec.Disabled || !slices.Contains(statesWithSteps, release.State) {
		return
	}
	replicas, known := g.replicas(now)
	next, certain := stepFor(before.Steps(), desired.Steps(), int(release.Step), replicas, known)
	if certain && next != int(release.Step) {
		g.addError(at, "Not possible during a release", fmt.Sprintf(
			"The Rollout is %s. With fewer pods in that step than it has requested already, the controller continues with step %d without an approval. "+
				"Keep the replicas of step %d and of the steps before it until the release is over, or raise them; the replicas of later steps can be changed, to no fewer pods.", release, next, release.Step))
		return
	}
	text := fmt.Sprintf("The Rollout is %s. This change makes the controller carry out step %d again, and a pause with a duration starts again.", release, release.Step)
	if !certain {
		text += " If the step now has fewer pods than it has requested already, the controller continues with a later step without an approval."
	}
	g.diags.AddAttributeWarning(at, "Release is in progress", text)
}

// statesWithSteps are the states in which the controller looks at its steps.
var statesWithSteps = []kruise.ReleaseState{kruise.StepInProgress, kruise.AwaitingApproval, kruise.TimedPause, kruise.Suspended, kruise.UnknownStepState, kruise.UnknownPhase, kruise.Stuck}

// restartsStep reports whether the controller looks for its step again after a
// change: after any one of the style, except of pauses and the failure threshold.
func restartsStep(before, after kruise.Strategy) bool {
	relevant := func(strategy kruise.Strategy) *kruise.Rollout {
		if strategy.Style() == nil {
			return &kruise.Rollout{}
		}
		style := *strategy.Style()
		style.FailureThreshold, style.Steps = nil, slices.Clone(style.Steps)
		for i := range style.Steps {
			style.Steps[i].Pause = kruise.Pause{}
		}
		return &kruise.Rollout{Spec: kruise.RolloutSpec{Strategy: kruise.Strategy{Canary: &style}}}
	}
	return !kruise.SameRollout(relevant(before), relevant(after))
}

// stepFor returns the step, from 1, that the controller is in after a change of
// the steps: the current one if it has at least as many pods as were requested, or else
// the first other one that has, or the last other one. certain is false if that depends on
// an unknown number of pods.
func stepFor(before, after []kruise.Step, current, replicas int, known bool) (step int, certain bool) {
	if current < 1 || current > len(before) || current > len(after) {
		return current, false
	}
	if !known {
		return current, reflect.DeepEqual(before[current-1].Replicas, after[current-1].Replicas)
	}
	pods := func(of kruise.Step) int { return podsOf(of.Replicas, replicas) }
	requested := pods(before[current-1])
	if requested <= pods(after[current-1]) {
		return current, true
	}
	step = current
	for i := range after {
		if i == current-1 {
			continue
		}
		if step = i + 1; requested <= pods(after[i]) {
			break
		}
	}
	return step, true
}

// podsOf returns the number of pods of a step, with percentages rounded up.
func podsOf(share *kruise.IntOrPercent, replicas int) int {
	if share == nil {
		return 0
	}
	if percent, ok := share.Percent(); ok {
		return (percent*replicas + 99) / 100
	}
	number, _ := share.Number()
	return number
}

// replicas returns the number of pods of the workload; known is false if it
// cannot be read or is of another kind than Deployment.
func (g *guardRun) replicas(of *object) (replicas int, known bool) {
	found, err := workload(g.ctx, g.client, of)
	if err != nil {
		return 0, false
	}
	value, has, err := unstructured.NestedInt64(found.Object, "spec", "replicas")
	if !has {
		value = 1
	}
	return int(value), err == nil
}
