package kruise

import (
	"context"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
)

// Steps at the end of a release.
const (
	toNew         = "FinalisingStepRouteTrafficToNew"
	toStable      = "FinalisingStepRouteTrafficToStable"
	stableService = "RestoreStableService"
	canaryService = "RemoveCanaryService"
	resume        = "ResumeWorkload"
	letGo         = "ReleaseWorkloadControl"
	theEnd        = "END"
)

// order is the order of the steps.
func order(style string, why ending) []string {
	switch {
	case style == v1beta1.StyleBlueGreen && why == success:
		return []string{toNew, stableService, resume, toStable, canaryService, letGo}
	case style == v1beta1.StyleBlueGreen && why == rollback:
		return []string{toStable, resume, stableService, canaryService, letGo}
	case why == rollback:
		return []string{toStable, resume, letGo, stableService, canaryService}
	}
	return []string{stableService, toStable, canaryService, resume, letGo}
}

// finalise performs one step at the end of a release, and reports whether it
// was the last one.
func (r *reconciliation) finalise(ctx context.Context, why ending) (bool, error) {
	if err := r.unrouted(ctx); err != nil {
		return false, err
	}
	sub := r.status.Sub()
	if sub == nil {
		return true, nil
	}
	if r.w != nil && r.w.held {
		if err := r.c.patch(ctx, r.w.Deployment, map[string]any{"annotations": map[string]any{annotationHeld: nil}}); err != nil {
			return false, err
		}
	}
	steps := order(r.rollout.Spec.Strategy.Style(), why)
	switch at := slices.Index(steps, sub.FinalisingStep); {
	case sub.FinalisingStep == theEnd:
		return true, nil
	case at < 0:
		sub.FinalisingStep = steps[0]
		r.touch()
		return false, nil
	default:
		done, err := r.finaliseStep(ctx, steps[at], why)
		if err != nil || !done {
			return false, err
		}
		sub.FinalisingStep = theEnd
		if at+1 < len(steps) {
			sub.FinalisingStep = steps[at+1]
		}
		r.touch()
		return sub.FinalisingStep == theEnd, nil
	}
}

func (r *reconciliation) finaliseStep(ctx context.Context, step string, why ending) (bool, error) {
	switch step {
	case resume:
		return r.endRelease(ctx, why == success)
	case letGo:
		return r.removeRelease(ctx)
	}
	return true, nil // traffic routing is not simulated
}

// endRelease lets the workload update to its new version, and reports whether
// the update is complete.
func (r *reconciliation) endRelease(ctx context.Context, waitForPods bool) (bool, error) {
	release, err := BatchReleases.Live(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
	if err != nil || release == nil {
		return release == nil, err
	}
	policy := policyImmediate
	if waitForPods {
		policy = policyWait
	}
	plan := &release.Spec.ReleasePlan
	if plan.BatchPartition == nil && release.Status.Phase == batchCompleted {
		return true, nil
	}
	if plan.BatchPartition == nil && plan.FinalizingPolicy == policy {
		return false, nil
	}
	plan.BatchPartition, plan.FinalizingPolicy = nil, policy
	_, err = BatchReleases.Update(ctx, r.c.objects, release)
	return false, err
}

// removeRelease deletes the BatchRelease, and reports whether it no longer
// exists.
func (r *reconciliation) removeRelease(ctx context.Context) (bool, error) {
	release, err := BatchReleases.Live(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
	if err != nil || release == nil {
		return release == nil, err
	}
	return false, BatchReleases.Delete(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
}
