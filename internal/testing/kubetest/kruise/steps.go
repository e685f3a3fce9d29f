package kruise

import (
	"context"
	"fmt"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
)

// States of a step.
const (
	stateBefore    = "BeforeStepUpgrade"
	stateUpgrade   = "StepUpgrade"
	stateTraffic   = "StepTrafficRouting"
	stateMetrics   = "StepMetricsAnalysis"
	statePaused    = "StepPaused"
	stateReady     = "StepReady"
	stateCompleted = "Completed"
)

// step advances by one state.
func (r *reconciliation) step(ctx context.Context) (time.Duration, error) {
	sub := r.status.Sub()
	steps := r.rollout.Spec.Strategy.Steps()
	if err := r.follow(ctx); err != nil {
		return 0, err
	}
	if sub.PodTemplateHash == "" {
		sub.PodTemplateHash = r.w.revision
	}
	if r.jump() || int(sub.CurrentStepIndex) > len(steps) {
		return 0, nil
	}
	step := steps[sub.CurrentStepIndex-1]
	switch sub.CurrentStepState {
	case stateBefore:
		sub.CurrentStepState = stateUpgrade
	case stateUpgrade:
		done, err := r.upgrade(ctx)
		if err != nil || !done {
			return 0, err
		}
		sub.CurrentStepState = stateTraffic
		if r.rollout.Spec.Strategy.Style() == v1beta1.StylePartition && share(*step.Replicas, r.w.replicas()) >= r.w.replicas() {
			sub.CurrentStepState = stateMetrics
		}
		r.touch()
	case stateTraffic:
		sub.CurrentStepState = stateMetrics
		r.touch()
	case stateMetrics:
		sub.CurrentStepState = statePaused
	case statePaused:
		return r.pause(step), nil
	case stateReady:
		if int(sub.CurrentStepIndex) < len(steps) {
			sub.CurrentStepIndex++
			sub.NextStepIndex = r.after(sub.CurrentStepIndex)
			sub.CurrentStepState = stateBefore
		} else {
			sub.CurrentStepState = stateCompleted
		}
		r.touch()
	}
	return 0, nil
}

// jump continues with the step that a client has set as the next one.
func (r *reconciliation) jump() bool {
	sub := r.status.Sub()
	steps := r.rollout.Spec.Strategy.Steps()
	next := sub.NextStepIndex
	if next == r.after(sub.CurrentStepIndex) || next <= 0 || int(next) > len(steps) {
		return false
	}
	sub.CurrentStepIndex, sub.NextStepIndex = next, r.after(next)
	sub.CurrentStepState = stateBefore
	if int32(share(*steps[next-1].Replicas, r.w.replicas())) == r.status.Updated() {
		sub.CurrentStepState = stateTraffic
	}
	r.touch()
	return true
}

// pause ends immediately at a last step of 100%, after a duration if there is
// one, and otherwise with an approval.
func (r *reconciliation) pause(step v1beta1.CanaryStep) time.Duration {
	sub := r.status.Sub()
	last := int(sub.CurrentStepIndex) == len(r.rollout.Spec.Strategy.Steps())
	if last && step.Replicas.StrVal == "100%" && r.rollout.Spec.Strategy.BlueGreen == nil {
		sub.CurrentStepState = stateReady
		r.touch()
		return 0
	}
	if step.Pause.Duration == nil {
		r.status.Message = fmt.Sprintf("Rollout is in step(%d/%d), and you need manually confirm to enter the next step", sub.CurrentStepIndex, len(r.rollout.Spec.Strategy.Steps()))
		return 0
	}
	r.status.Message = fmt.Sprintf("Rollout is in step(%d/%d), and wait duration(%d seconds) to enter the next step", sub.CurrentStepIndex, len(r.rollout.Spec.Strategy.Steps()), *step.Pause.Duration)
	rest := r.c.clock.Scaled(time.Duration(*step.Pause.Duration)*time.Second) - time.Since(r.times.updated)
	if rest > 0 {
		return rest
	}
	sub.CurrentStepState = stateReady
	r.touch()
	return 0
}

// follow copies the status of the BatchRelease.
func (r *reconciliation) follow(ctx context.Context) error {
	release, err := BatchReleases.Live(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
	if err != nil || release == nil {
		return err
	}
	at := release.Status.CanaryStatus
	r.status.SetUpdated(at.UpdatedReplicas, at.UpdatedReadyReplicas)
	r.status.Sub().Message = fmt.Sprintf("BatchRelease is at state %s, rollout-id %s, step %d", at.CurrentBatchState, release.Status.ObservedRolloutID, at.CurrentBatch+1)
	return nil
}

// upgrade requests the pods of the step, and reports whether they are ready.
func (r *reconciliation) upgrade(ctx context.Context) (bool, error) {
	sub := r.status.Sub()
	r.status.Message = fmt.Sprintf("Rollout is in step(%d/%d), and upgrade workload to new version", sub.CurrentStepIndex, len(r.rollout.Spec.Strategy.Steps()))
	desired := r.release(sub.CurrentStepIndex - 1)
	release, err := BatchReleases.Live(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
	if err != nil {
		return false, err
	}
	if release == nil {
		_, err := BatchReleases.Create(ctx, r.c.objects, desired)
		return false, err
	}
	if !reflect.DeepEqual(release.Spec, desired.Spec) {
		release.Spec = desired.Spec
		_, err := BatchReleases.Update(ctx, r.c.objects, release)
		return false, err
	}
	at := release.Status
	if at.ObservedReleasePlanHash != hashOfValue(release.Spec.ReleasePlan) || at.CanaryStatus.CurrentBatchState != batchReady ||
		at.CanaryStatus.CurrentBatch+1 < sub.CurrentStepIndex {
		return false, nil
	}
	sub.PodTemplateHash = r.w.revision
	return true, nil
}

// release returns the BatchRelease up to a batch.
func (r *reconciliation) release(batch int32) *v1beta1.BatchRelease {
	strategy := r.rollout.Spec.Strategy
	plan := v1beta1.ReleasePlan{RolloutID: r.w.releaseID(), BatchPartition: &batch, RollingStyle: strategy.Style()}
	for _, step := range strategy.Steps() {
		plan.Batches = append(plan.Batches, v1beta1.ReleaseBatch{CanaryReplicas: *step.Replicas})
	}
	if c := strategy.Canary; c != nil {
		plan.EnableExtraWorkloadForCanary = c.EnableExtraWorkloadForCanary
		plan.FailureThreshold = c.FailureThreshold
		plan.PatchPodTemplateMetadata = c.PatchPodTemplateMetadata
	}
	return &v1beta1.BatchRelease{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: r.rollout.Namespace, Name: r.rollout.Name,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(r.rollout, Rollouts.Resource.GroupVersion().WithKind("Rollout"))},
		},
		Spec: v1beta1.BatchReleaseSpec{WorkloadRef: r.rollout.Spec.WorkloadRef, ReleasePlan: plan},
	}
}

// share returns a number of pods, or a percentage of them, rounded up.
func share(value intstr.IntOrString, of int) int {
	n, err := intstr.GetScaledValueFromIntOrPercent(&value, of, true)
	if err != nil {
		return 0
	}
	return min(max(n, 0), of)
}
