package kruise

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
)

// Reasons for the end of a release.
type ending int

const (
	success ending = iota
	rollback
	disabled
	deleted
)

// act performs the actions of the previous phase in the status.
func (r *round) act(ctx context.Context) (time.Duration, error) {
	switch r.old.Phase {
	case phaseProgressing:
		if r.w == nil || r.status.Phase != phaseProgressing {
			return 0, nil
		}
		return r.progress(ctx)
	case phaseTerminating:
		if c := conditionOf(&r.status, conditionTerminating); c == nil || c.Reason == reasonCompleted {
			return 0, nil
		}
		done, err := r.finalise(ctx, deleted)
		if err != nil || !done {
			return r.c.clock.Scaled(grace), err
		}
		if c := conditionOf(&r.status, conditionTerminating); c != nil {
			c.Status, c.Reason = string(metav1.ConditionFalse), reasonCompleted
		}
	case phaseDisabling:
		done, err := r.finalise(ctx, disabled)
		if err != nil || !done {
			return r.c.clock.Scaled(grace), err
		}
		r.status.Phase, r.status.Message = phaseDisabled, "Rollout is disabled"
	}
	return 0, nil
}

// progress advances a release.
func (r *round) progress(ctx context.Context) (time.Duration, error) {
	c := conditionOf(&r.old, conditionProgressing)
	if c == nil {
		return 0, nil
	}
	switch c.Reason {
	case reasonInitializing:
		return r.initialize(ctx)
	case reasonRolling:
		return r.roll(ctx)
	case reasonPaused:
		if !r.rollout.Spec.Strategy.Paused {
			r.transition(metav1.ConditionTrue, reasonRolling, "")
		}
	case reasonFinalising:
		return r.end(ctx, success, metav1.ConditionTrue, "Rollout progressing has been completed")
	case reasonCancelling:
		return r.end(ctx, rollback, metav1.ConditionFalse, "Rollout progressing has been canceled")
	case reasonCompleted:
		r.status.Phase = phaseHealthy
	}
	return 0, nil
}

// errNoRoutes is returned for traffic routings: there is no Ingress or HTTPRoute
// here.
var errNoRoutes = errors.New("the objects of the traffic routing do not exist")

// initialize starts the first step after a delay for the preparation of traffic
// routing. If the referenced routing does not exist, the preparation never
// ends.
func (r *round) initialize(ctx context.Context) (time.Duration, error) {
	r.newSub(v1beta1.CommonStatus{
		ObservedWorkloadGeneration: r.w.Generation, RolloutHash: r.rollout.Annotations[annotationHash],
		ObservedRolloutID: r.w.releaseID(), StableRevision: r.w.stable,
		CurrentStepIndex: 1, NextStepIndex: r.after(1), CurrentStepState: stateBefore,
	})
	r.touch()
	if len(r.rollout.Spec.Strategy.Routings()) > 0 {
		// InitializeTrafficRouting fails before the status is written, which
		// keeps the steps of the previous release.
		return 0, errNoRoutes
	}
	if rest := r.c.clock.Scaled(grace) - time.Since(r.times.began); rest > 0 {
		if sub := r.old.Sub(); sub != nil && sub.CurrentStepState == stateBefore {
			r.status.Sub().LastUpdateTime = sub.LastUpdateTime // no new information
		}
		return rest, nil
	}
	if there, err := r.routed(ctx); err != nil || !there {
		return r.c.clock.Scaled(grace), err
	}
	r.transition(metav1.ConditionTrue, reasonRolling, "Rollout is in Progressing")
	return 0, nil
}

// touch records a change of the step's state.
func (r *round) touch() {
	r.times.updated = time.Now()
	r.status.Sub().LastUpdateTime = new(metav1.NewTime(r.times.updated.Truncate(time.Second)))
}

func (r *round) end(ctx context.Context, why ending, succeeded metav1.ConditionStatus, message string) (time.Duration, error) {
	done, err := r.finalise(ctx, why)
	if err != nil || !done {
		return r.c.clock.Scaled(grace), err
	}
	r.transition(metav1.ConditionFalse, reasonCompleted, message)
	r.set(conditionSucceeded, succeeded, "", "")
	return 0, nil
}

// roll advances the steps, unless the workload or the Rollout was changed.
func (r *round) roll(ctx context.Context) (time.Duration, error) {
	another := r.w.revision != r.old.Revision() && r.old.Revision() != ""
	sub := r.old.Sub()
	switch {
	case r.w.rolledBack && another:
		r.status.SetRevision(r.w.revision)
		r.transition(metav1.ConditionTrue, reasonCancelling, "The workload has been rolled back and the rollout process will be canceled")
		return 0, nil
	case r.rollout.Spec.Strategy.Paused:
		r.transition(metav1.ConditionTrue, reasonPaused, "Rollout has been paused, you can resume it by kube-cli")
		return 0, nil
	case another && !r.w.rolledBack:
		return r.restart(ctx)
	case sub != nil && sub.RolloutHash != "" && sub.RolloutHash != r.rollout.Annotations[annotationHash]:
		return 0, r.replan(ctx)
	case r.status.Sub() == nil:
		return 0, nil
	case r.status.Sub().CurrentStepState == stateCompleted:
		r.transition(metav1.ConditionTrue, reasonFinalising, "Rollout has been completed and some closing work is being done")
		return 0, nil
	}
	return r.step(ctx)
}

// restart starts again with a third version; blue-green does not support it.
func (r *round) restart(ctx context.Context) (time.Duration, error) {
	if r.rollout.Spec.Strategy.BlueGreen != nil {
		r.status.Message = "new version releasing detected in the progress of blue-green release, please rollback first"
		return 0, nil
	}
	gone, err := r.removeRelease(ctx)
	if err != nil || !gone {
		return r.c.clock.Scaled(grace), err
	}
	r.status.Clear()
	r.transition(metav1.ConditionTrue, reasonInitializing, "Workload is continuous release")
	return 0, nil
}

// replan finds the step that has at least as many new pods as exist.
func (r *round) replan(ctx context.Context) error {
	sub := r.status.Sub()
	index, err := r.stepOfPods(ctx)
	if err != nil {
		return err
	}
	sub.RolloutHash = r.rollout.Annotations[annotationHash]
	if sub.NextStepIndex == index {
		sub.CurrentStepState = stateReady
	} else {
		sub.NextStepIndex = index
		r.jump()
	}
	r.touch()
	return nil
}

// stepOfPods returns the first step, preferably the current one, with at least
// as many pods as exist.
func (r *round) stepOfPods(ctx context.Context) (int32, error) {
	release, err := BatchReleases.Live(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
	if err != nil || release == nil || release.Spec.ReleasePlan.BatchPartition == nil {
		return 1, err
	}
	plan := release.Spec.ReleasePlan
	there := share(plan.Batches[*plan.BatchPartition].CanaryReplicas, r.w.replicas())
	steps := r.rollout.Spec.Strategy.Steps()
	current := int(r.status.Sub().CurrentStepIndex) - 1
	order := []int{}
	if current >= 0 && current < len(steps) {
		order = append(order, current)
	}
	for i := range steps {
		if i != current {
			order = append(order, i)
		}
	}
	index := int32(1)
	for _, i := range order {
		index = int32(i + 1)
		if there <= share(*steps[i].Replicas, r.w.replicas()) {
			break
		}
	}
	return index, nil
}
