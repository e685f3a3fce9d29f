package kruise

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	work "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

const (
	batchPreparing   = "Preparing"
	batchProgressing = "Progressing"
	batchFinalizing  = "Finalizing"
	batchCompleted   = "Completed"

	batchUpgrading = "Upgrading"
	batchVerifying = "Verifying"
	batchReady     = "Ready"

	policyWait      = "WaitResume"
	policyImmediate = "Immediate"
)

// batchTime is the delay before the controller processes a change of a
// BatchRelease.
const batchTime = 2 * time.Second

// style updates the pods of a Deployment for a batch.
type style interface {
	// begin takes control of the Deployment.
	begin(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error
	// upgrade sets the number of new pods.
	upgrade(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error
	// count returns the number of new pods, and of those that are ready.
	count(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) (updated, ready int32, err error)
	// end releases the Deployment, and reports whether it is finished.
	end(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) (bool, error)
}

// Batches is the controller of BatchReleases.
type Batches struct {
	*controller.Loop
	objects *controller.Objects
	clock   *controller.Clock
	gates   Gates

	mu    sync.Mutex
	since map[string]time.Time
}

func newBatches(objects *controller.Objects, clock *controller.Clock, gates Gates) *Batches {
	b := &Batches{objects: objects, clock: clock, gates: gates, since: map[string]time.Time{}}
	b.Loop = controller.NewLoop("kruise", b.reconcile)
	return b
}

// releasesOf returns the keys of the BatchReleases of a Deployment.
func (b *Batches) releasesOf(object any) []string {
	d, ok := object.(metav1.Object)
	if !ok {
		return nil
	}
	name := d.GetName()
	if of := d.GetLabels()[labelCanary]; of != "" {
		name = of
	}
	var keys []string
	all, _ := BatchReleases.CachedWith(b.objects, d.GetNamespace(), nil)
	for _, release := range all {
		if release.Spec.WorkloadRef.Name == name {
			keys = append(keys, release.Namespace+"/"+release.Name)
		}
	}
	return keys
}

func styleOf(release *v1beta1.BatchRelease) style {
	switch release.Spec.ReleasePlan.RollingStyle {
	case v1beta1.StyleBlueGreen:
		return blueGreen{}
	case v1beta1.StyleCanary:
		return canary{}
	}
	return partition{}
}

func (b *Batches) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, _ := strings.Cut(key, "/")
	release, err := BatchReleases.Live(ctx, b.objects, namespace, name)
	if err != nil {
		return 0, err
	}
	if release == nil {
		return 0, b.collect(ctx, namespace, name)
	}
	d, err := kubernetes.Deployments.Live(ctx, b.objects, namespace, release.Spec.WorkloadRef.Name)
	if err != nil {
		return 0, err
	}
	before := release.Status
	again, err := b.look(ctx, release, d)
	if err != nil {
		return 0, err
	}
	release.Status.ObservedGeneration = release.Generation
	if reflect.DeepEqual(before, release.Status) {
		return again, nil
	}
	_, err = BatchReleases.UpdateStatus(ctx, b.objects, release)
	return again, err
}

// collect deletes the extra Deployments of a deleted BatchRelease.
func (b *Batches) collect(ctx context.Context, namespace, name string) error {
	all, err := kubernetes.Deployments.CachedWith(b.objects, namespace, nil)
	for _, d := range all {
		if owner := metav1.GetControllerOf(d); owner != nil && owner.Kind == "BatchRelease" && owner.Name == name {
			if err := b.deleteExtra(ctx, d); err != nil {
				return err
			}
		}
	}
	return err
}

// extraFinalizer is the finalizer of the extra Deployment of a canary release.
const extraFinalizer = "finalizer.rollouts.kruise.io/batch-release"

// deleteExtra deletes the extra Deployment of a canary release.
func (b *Batches) deleteExtra(ctx context.Context, extra *apps.Deployment) error {
	if len(extra.Finalizers) > 0 {
		extra = extra.DeepCopy()
		extra.Finalizers = nil
		if _, err := kubernetes.Deployments.Update(ctx, b.objects, extra); err != nil {
			return err
		}
	}
	return kubernetes.Deployments.Delete(ctx, b.objects, extra.Namespace, extra.Name)
}

// look advances by one phase or state.
func (b *Batches) look(ctx context.Context, release *v1beta1.BatchRelease, d *apps.Deployment) (time.Duration, error) {
	s := &release.Status
	if d == nil {
		s.Phase = batchCompleted
		return 0, nil
	}
	key := string(release.UID)
	switch s.Phase {
	case "":
		s.Phase, s.ObservedRolloutID = batchPreparing, release.Spec.ReleasePlan.RolloutID
		b.start(key)
	case batchPreparing:
		if rest := b.rest(key); rest > 0 {
			return rest, nil
		}
		if err := styleOf(release).begin(ctx, b, release, d); err != nil {
			return 0, err
		}
		s.Phase, s.CanaryStatus.CurrentBatchState = batchProgressing, batchUpgrading
	case batchProgressing:
		return b.batch(ctx, release, d)
	case batchFinalizing:
		if rest := b.rest(key); rest > 0 {
			return rest, nil
		}
		done, err := styleOf(release).end(ctx, b, release, d)
		if err != nil || !done {
			return b.clock.Scaled(batchTime), err
		}
		s.Phase = batchCompleted
	}
	return 0, nil
}

// batch processes the current batch.
func (b *Batches) batch(ctx context.Context, release *v1beta1.BatchRelease, d *apps.Deployment) (time.Duration, error) {
	plan, s, key := release.Spec.ReleasePlan, &release.Status, string(release.UID)
	at := &s.CanaryStatus
	s.ObservedRolloutID = plan.RolloutID
	if plan.BatchPartition == nil {
		s.Phase = batchFinalizing
		b.start(key)
		return 0, nil
	}
	if hash := hashOfValue(plan); s.ObservedReleasePlanHash != hash {
		first := s.ObservedReleasePlanHash == ""
		s.ObservedReleasePlanHash = hash
		at.CurrentBatch, at.CurrentBatchState = *plan.BatchPartition, batchUpgrading
		if !first {
			b.start(key)
		}
		return 0, nil
	}
	if rest := b.rest(key); rest > 0 {
		return rest, nil
	}
	how := styleOf(release)
	if err := how.upgrade(ctx, b, release, d); err != nil {
		return 0, err
	}
	updated, ready, err := how.count(ctx, b, release, d)
	if err != nil {
		return 0, err
	}
	at.UpdatedReplicas, at.UpdatedReadyReplicas = updated, ready
	switch desired := desiredPods(how, plan.Batches[at.CurrentBatch].CanaryReplicas, replicasOf(d)); {
	case at.CurrentBatchState == batchUpgrading:
		at.CurrentBatchState = batchVerifying
	case updated >= desired && ready >= desired:
		at.CurrentBatchState = batchReady
	default:
		at.CurrentBatchState = batchVerifying
	}
	return b.clock.Scaled(batchTime), nil
}

// desiredPods returns the number of new pods of a batch: an extra Deployment has all that
// are requested, the others as many as OpenKruise's controller of Deployments allows.
func desiredPods(how style, requested intstr.IntOrString, replicas int) int32 {
	if _, extra := how.(canary); extra {
		return int32(share(requested, replicas))
	}
	return int32(work.ReplicaLimit(requested, replicas))
}

func replicasOf(d *apps.Deployment) int {
	if d.Spec.Replicas == nil {
		return 1
	}
	return int(*d.Spec.Replicas)
}

// start and rest handle the delay before a change is processed.
func (b *Batches) start(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.since[key] = time.Now()
}

func (b *Batches) rest(key string) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clock.Scaled(batchTime) - time.Since(b.since[key])
}

// readyOfNewest returns the number of ready pods with a Deployment's current
// template.
func (b *Batches) readyOfNewest(ctx context.Context, d *apps.Deployment) (int32, error) {
	rs, err := kubernetes.ReplicaSets.Live(ctx, b.objects, d.Namespace, d.Name+"-"+hashOf(d))
	if err != nil || rs == nil {
		return 0, err
	}
	return rs.Status.ReadyReplicas, nil
}
