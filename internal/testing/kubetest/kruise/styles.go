package kruise

import (
	"context"
	"encoding/json"
	"math"
	"reflect"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// write updates a Deployment if it has changed.
func (b *Batches) write(ctx context.Context, before, d *apps.Deployment) error {
	if reflect.DeepEqual(before.Spec, d.Spec) && reflect.DeepEqual(before.Annotations, d.Annotations) && reflect.DeepEqual(before.Labels, d.Labels) {
		return nil
	}
	_, err := kubernetes.Deployments.Update(ctx, b.objects, d)
	return err
}

// own records that a BatchRelease controls the Deployment.
func own(release *v1beta1.BatchRelease, d *apps.Deployment) {
	text, _ := json.Marshal(metav1.NewControllerRef(release, BatchReleases.Resource.GroupVersion().WithKind("BatchRelease")))
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, annotationOwner, string(text))
}

func strategyOf(d *apps.Deployment) *kubernetes.AdvancedStrategy {
	var strategy kubernetes.AdvancedStrategy
	text := d.Annotations[kubernetes.AnnotationStrategy]
	if text == "" || json.Unmarshal([]byte(text), &strategy) != nil {
		return nil
	}
	return &strategy
}

func setStrategy(d *apps.Deployment, strategy *kubernetes.AdvancedStrategy) {
	text, _ := json.Marshal(strategy)
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, kubernetes.AnnotationStrategy, string(text))
}

// partition replaces pods of the Deployment itself, which stays paused for
// Kubernetes' own controller.
type partition struct{}

func (partition) begin(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error {
	before := d.DeepCopy()
	strategy := strategyOf(d)
	if strategy == nil {
		strategy = &kubernetes.AdvancedStrategy{RollingUpdate: d.Spec.Strategy.RollingUpdate}
	}
	strategy.RollingStyle, strategy.Paused, strategy.Partition = v1beta1.StylePartition, false, intstr.FromInt32(0)
	d.Spec.Paused = true
	d.Spec.Strategy = apps.DeploymentStrategy{Type: apps.RecreateDeploymentStrategyType}
	setStrategy(d, strategy)
	own(release, d)
	metav1.SetMetaDataLabel(&d.ObjectMeta, kubernetes.LabelAdvanced, "true")
	return b.write(ctx, before, d)
}

// manyPods is the number of pods for which Kruise compares two partitions.
const manyPods = 10_000_000

func (partition) upgrade(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error {
	strategy := strategyOf(d)
	if strategy == nil {
		return nil
	}
	desired := release.Spec.ReleasePlan.Batches[release.Status.CanaryStatus.CurrentBatch].CanaryReplicas
	// A jump back does not restore old pods. A number after a percentage is never
	// carried out: Kruise compares both as shares of ten million pods.
	if share(desired, manyPods) <= share(strategy.Partition, manyPods) {
		return nil
	}
	before := d.DeepCopy()
	strategy.Partition = desired
	setStrategy(d, strategy)
	return b.write(ctx, before, d)
}

func (partition) count(ctx context.Context, b *Batches, _ *v1beta1.BatchRelease, d *apps.Deployment) (updated, ready int32, err error) {
	ready, err = b.readyOfNewest(ctx, d)
	return d.Status.UpdatedReplicas, ready, err
}

func (partition) end(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) (bool, error) {
	strategy := strategyOf(d)
	if strategy == nil {
		return true, nil
	}
	before := d.DeepCopy()
	d.Spec.Paused = b.gates[GateKeepPaused] && release.Spec.ReleasePlan.FinalizingPolicy != policyWait
	d.Spec.Strategy = apps.DeploymentStrategy{Type: apps.RecreateDeploymentStrategyType}
	if strategy.RollingUpdate != nil {
		d.Spec.Strategy = apps.DeploymentStrategy{Type: apps.RollingUpdateDeploymentStrategyType, RollingUpdate: strategy.RollingUpdate}
	}
	delete(d.Annotations, kubernetes.AnnotationStrategy)
	delete(d.Annotations, annotationOwner)
	delete(d.Labels, kubernetes.LabelAdvanced)
	delete(d.Labels, labelStable)
	return true, b.write(ctx, before, d)
}

// canary runs the new pods in a separate Deployment.
type canary struct{}

func (canary) find(b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) (*apps.Deployment, error) {
	all, err := kubernetes.Deployments.CachedWith(b.objects, d.Namespace, map[string]string{labelCanary: d.Name})
	for _, extra := range all {
		if owner := metav1.GetControllerOf(extra); owner != nil && owner.UID == release.UID {
			return extra, err
		}
	}
	return nil, err
}

func (c canary) begin(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error {
	before := d.DeepCopy()
	own(release, d)
	if err := b.write(ctx, before, d); err != nil {
		return err
	}
	if extra, err := c.find(b, release, d); err != nil || extra != nil {
		return err
	}
	extra := &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: d.Name + "-" + utilrand.String(5), Labels: map[string]string{labelCanary: d.Name}, Finalizers: []string{extraFinalizer},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(release, BatchReleases.Resource.GroupVersion().WithKind("BatchRelease"))},
		},
		Spec: *d.Spec.DeepCopy(),
	}
	own(release, extra)
	extra.Spec.Paused, extra.Spec.Replicas = false, new(int32(0))
	extra.Spec.Strategy = apps.DeploymentStrategy{}
	if patch := release.Spec.ReleasePlan.PatchPodTemplateMetadata; patch != nil {
		for name, value := range patch.Labels {
			metav1.SetMetaDataLabel(&extra.Spec.Template.ObjectMeta, name, value)
		}
		for name, value := range patch.Annotations {
			metav1.SetMetaDataAnnotation(&extra.Spec.Template.ObjectMeta, name, value)
		}
	}
	_, err := kubernetes.Deployments.Create(ctx, b.objects, extra)
	return err
}

func (c canary) upgrade(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error {
	extra, err := c.find(b, release, d)
	if err != nil || extra == nil {
		return err
	}
	before := extra.DeepCopy()
	desired := int32(share(release.Spec.ReleasePlan.Batches[release.Status.CanaryStatus.CurrentBatch].CanaryReplicas, replicasOf(d)))
	extra.Spec.Replicas = &desired
	return b.write(ctx, before, extra)
}

func (c canary) count(_ context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) (updated, ready int32, err error) {
	extra, err := c.find(b, release, d)
	if err != nil || extra == nil {
		return 0, 0, err
	}
	return extra.Status.Replicas, extra.Status.AvailableReplicas, nil
}

func (c canary) end(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) (bool, error) {
	before := d.DeepCopy()
	d.Spec.Paused = false
	delete(d.Annotations, annotationOwner)
	if err := b.write(ctx, before, d); err != nil {
		return false, err
	}
	if release.Spec.ReleasePlan.FinalizingPolicy == policyWait && (before.Spec.Paused || !allNew(before)) {
		return false, nil
	}
	extra, err := c.find(b, release, d)
	if err != nil || extra == nil {
		return extra == nil, err
	}
	return true, b.deleteExtra(ctx, extra)
}

// allNew reports whether all pods are new and available, except for the number
// that the strategy allows to be unavailable.
func allNew(d *apps.Deployment) bool {
	missing := 0
	if u := d.Spec.Strategy.RollingUpdate; u != nil && u.MaxUnavailable != nil {
		missing, _ = intstr.GetScaledValueFromIntOrPercent(u.MaxUnavailable, replicasOf(d), false)
	}
	return d.Status.ObservedGeneration == d.Generation && d.Status.UpdatedReplicas == int32(replicasOf(d)) &&
		d.Status.Replicas == d.Status.UpdatedReplicas && d.Status.AvailableReplicas+int32(missing) >= d.Status.Replicas
}

// blueGreen runs all new pods in addition to all old ones. No new pod counts as
// available, so Kubernetes' own controller keeps the old ones.
type blueGreen struct{}

// never is a minReadySeconds with which pods never become available.
const never = math.MaxInt32 - 1

// setting are the original settings of a Deployment.
type setting struct {
	MaxUnavailable          *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	MaxSurge                *intstr.IntOrString `json:"maxSurge,omitempty"`
	MinReadySeconds         int32               `json:"minReadySeconds,omitempty"`
	ProgressDeadlineSeconds *int32              `json:"progressDeadlineSeconds,omitempty"`
}

func (blueGreen) begin(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error {
	before := d.DeepCopy()
	had := setting{MinReadySeconds: d.Spec.MinReadySeconds, ProgressDeadlineSeconds: d.Spec.ProgressDeadlineSeconds}
	quarter := intstr.FromString("25%")
	had.MaxUnavailable, had.MaxSurge = &quarter, &quarter
	if u := d.Spec.Strategy.RollingUpdate; u != nil {
		had.MaxUnavailable, had.MaxSurge = u.MaxUnavailable, u.MaxSurge
	}
	text, err := json.Marshal(had)
	if err != nil {
		return err
	}
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, annotationBefore, string(text))
	own(release, d)
	d.Spec.Strategy = rollingUpdate(intstr.FromInt32(1))
	d.Spec.MinReadySeconds, d.Spec.ProgressDeadlineSeconds = never, new(int32(math.MaxInt32))
	return b.write(ctx, before, d)
}

// rollingUpdate adds the given number of pods and removes none.
func rollingUpdate(surge intstr.IntOrString) apps.DeploymentStrategy {
	return apps.DeploymentStrategy{
		Type:          apps.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &apps.RollingUpdateDeployment{MaxSurge: &surge, MaxUnavailable: new(intstr.FromInt32(0))},
	}
}

func (blueGreen) upgrade(ctx context.Context, b *Batches, release *v1beta1.BatchRelease, d *apps.Deployment) error {
	desired := release.Spec.ReleasePlan.Batches[release.Status.CanaryStatus.CurrentBatch].CanaryReplicas
	current := 0
	if u := d.Spec.Strategy.RollingUpdate; u != nil && u.MaxSurge != nil && *u.MaxSurge != intstr.FromInt32(1) {
		current = share(*u.MaxSurge, replicasOf(d))
	}
	if current >= share(desired, replicasOf(d)) {
		return nil
	}
	before := d.DeepCopy()
	d.Spec.Paused = false
	d.Spec.Strategy = rollingUpdate(desired)
	return b.write(ctx, before, d)
}

func (blueGreen) count(ctx context.Context, b *Batches, _ *v1beta1.BatchRelease, d *apps.Deployment) (updated, ready int32, err error) {
	ready, err = b.readyOfNewest(ctx, d)
	return d.Status.UpdatedReplicas, ready, err
}

// end does not wait for the pods: what Kruise checks for that is an object without
// content.
func (blueGreen) end(ctx context.Context, b *Batches, _ *v1beta1.BatchRelease, d *apps.Deployment) (bool, error) {
	if text := d.Annotations[annotationBefore]; text != "" {
		var had setting
		if err := json.Unmarshal([]byte(text), &had); err != nil {
			return false, err
		}
		before := d.DeepCopy()
		d.Spec.Paused = false
		d.Spec.MinReadySeconds, d.Spec.ProgressDeadlineSeconds = had.MinReadySeconds, had.ProgressDeadlineSeconds
		d.Spec.Strategy = apps.DeploymentStrategy{
			Type:          apps.RollingUpdateDeploymentStrategyType,
			RollingUpdate: &apps.RollingUpdateDeployment{MaxSurge: had.MaxSurge, MaxUnavailable: had.MaxUnavailable},
		}
		delete(d.Annotations, annotationBefore)
		delete(d.Annotations, annotationOwner)
		delete(d.Labels, labelStable)
		return false, b.write(ctx, before, d)
	}
	return true, nil
}
