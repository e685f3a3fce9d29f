package kruise

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

const (
	finalizer      = "rollouts.kruise.io/rollout"
	annotationHash = "rollouts.kruise.io/hash"
)

// gracePeriod is the time that the controller gives other controllers to notice a
// change.
const gracePeriod = 3 * time.Second

// Controller releases new versions for Rollouts.
type Controller struct {
	*controller.Loop
	// Batches updates the pods of a step.
	Batches *Batches
	// Routings manages TrafficRoutings.
	Routings *Routings

	objects *controller.Objects
	clock   *controller.Clock

	mu    sync.Mutex
	times map[types.UID]*times
}

// times are the times of a Rollout, more precise than the seconds in its
// status.
type times struct {
	began   time.Time // start of the release
	updated time.Time // last change of the step's state
}

// NewController returns a controller that uses a client with the name Manager,
// for its webhook as well.
func NewController(config *rest.Config, caches *controller.Caches, clock *controller.Clock, webhook *Webhook, gates Gates) (*Controller, error) {
	objects, err := controller.NewObjects(config, caches)
	if err != nil {
		return nil, err
	}
	c := &Controller{objects: objects, clock: clock, times: map[types.UID]*times{}}
	c.Loop = controller.NewLoop("kruise", c.reconcile)
	c.Batches = newBatches(objects, clock, gates)
	c.Routings = newRoutings(objects)
	keyOf := func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	}
	c.Watch(objects.Informer(Rollouts.Resource), keyOf)
	c.Watch(objects.Informer(BatchReleases.Resource), keyOf)
	c.Watch(objects.Informer(kubernetes.Deployments.Resource), c.rolloutsOf)
	c.Batches.Watch(objects.Informer(BatchReleases.Resource), keyOf)
	c.Batches.Watch(objects.Informer(kubernetes.Deployments.Resource), c.Batches.releasesOf)
	webhook.Use(objects)
	return c, nil
}

// rolloutsOf returns the keys of the Rollouts of a Deployment.
func (c *Controller) rolloutsOf(object any) []string {
	d, ok := object.(metav1.Object)
	if !ok {
		return nil
	}
	var keys []string
	all, _ := Rollouts.CachedWith(c.objects, d.GetNamespace(), nil)
	for _, rollout := range all {
		if rollout.Spec.WorkloadRef.Name == d.GetName() {
			keys = append(keys, rollout.Namespace+"/"+rollout.Name)
		}
	}
	return keys
}

// Run runs the controller until the context ends.
func (c *Controller) Run(ctx context.Context) error {
	if err := c.objects.Start(ctx); err != nil {
		return err
	}
	var running sync.WaitGroup
	running.Go(func() { c.Loop.Run(ctx) })
	running.Go(func() { c.Batches.Run(ctx) })
	running.Go(func() { c.Routings.Run(ctx) })
	running.Wait()
	return nil
}

func (c *Controller) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, _ := strings.Cut(key, "/")
	rollout, err := Rollouts.Live(ctx, c.objects, namespace, name)
	if err != nil {
		return 0, err
	}
	if rollout == nil {
		return 0, c.deleteBatchRelease(ctx, namespace, name)
	}
	if !isServed(rollout) {
		return 0, c.addFinalizer(ctx, rollout)
	}
	if written, err := c.keepFinalizer(ctx, rollout); err != nil || written {
		return 0, err
	}
	w, err := c.workloadOf(ctx, rollout)
	if err != nil {
		return 0, err
	}
	if err := c.setMarkers(ctx, rollout, w); err != nil {
		return 0, err
	}
	r := &reconciliation{
		c: c, rollout: rollout, w: w, times: c.timesOf(rollout),
		old: *deepCopy(&rollout.Status), status: *deepCopy(&rollout.Status),
	}
	if !r.observe() {
		return max(c.clock.Scaled(gracePeriod), time.Millisecond), nil
	}
	again, err := r.act(ctx)
	if err != nil {
		return 0, err
	}
	return again, r.writeStatus(ctx)
}

// isServed reports whether the cluster serves the kind of the workload.
func isServed(rollout *v1beta1.Rollout) bool {
	ref := rollout.Spec.WorkloadRef
	return ref.APIVersion == "apps/v1" && ref.Kind != "" && ref.Kind != "ReplicaSet"
}

// addFinalizer sets the finalizer on a Rollout of a kind that is not served. The
// controller does nothing else with it, so it cannot be deleted.
func (c *Controller) addFinalizer(ctx context.Context, rollout *v1beta1.Rollout) error {
	if rollout.Spec.WorkloadRef.Kind == "ReplicaSet" || rollout.DeletionTimestamp != nil {
		return nil
	}
	_, err := c.keepFinalizer(ctx, rollout)
	return err
}

// keepFinalizer writes whole objects of Kruise's types, which adds and removes
// fields in objects written by other clients.
func (c *Controller) keepFinalizer(ctx context.Context, rollout *v1beta1.Rollout) (written bool, err error) {
	has := slices.Contains(rollout.Finalizers, finalizer)
	switch {
	case rollout.DeletionTimestamp == nil && !has:
		rollout.Finalizers = append(rollout.Finalizers, finalizer)
	case rollout.DeletionTimestamp != nil && has:
		done := conditionOf(&rollout.Status, conditionTerminating)
		if done == nil || done.Reason != reasonCompleted {
			return false, nil
		}
		rollout.Finalizers = slices.DeleteFunc(rollout.Finalizers, func(name string) bool { return name == finalizer })
	default:
		return rollout.DeletionTimestamp != nil && !has, nil
	}
	_, err = Rollouts.Update(ctx, c.objects, rollout)
	return true, err
}

// deleteBatchRelease deletes the objects of a deleted Rollout.
func (c *Controller) deleteBatchRelease(ctx context.Context, namespace, name string) error {
	release, err := BatchReleases.Live(ctx, c.objects, namespace, name)
	if err != nil || release == nil {
		return err
	}
	return BatchReleases.Delete(ctx, c.objects, namespace, name)
}

// setMarkers sets the label by which the webhook recognizes the workload, unless its
// status is not consistent, and the hash of the steps.
func (c *Controller) setMarkers(ctx context.Context, rollout *v1beta1.Rollout, w *workload) error {
	if w != nil && w.consistent() && w.Labels[labelType] == "" {
		if err := c.patch(ctx, w.Deployment, map[string]any{"labels": map[string]any{labelType: "deployment"}}); err != nil {
			return err
		}
	}
	hash := hashOfSteps(rollout)
	if rollout.Annotations[annotationHash] == hash {
		return nil
	}
	metav1.SetMetaDataAnnotation(&rollout.ObjectMeta, annotationHash, hash)
	text := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, annotationHash, hash)
	written, err := c.objects.Client(Rollouts.Resource, rollout.Namespace).Patch(ctx, rollout.Name, types.MergePatchType, []byte(text), metav1.PatchOptions{})
	if err == nil {
		rollout.ResourceVersion = written.GetResourceVersion()
	}
	return err
}

// patch changes the metadata of a Deployment.
func (c *Controller) patch(ctx context.Context, d *apps.Deployment, metadata map[string]any) error {
	text, err := json.Marshal(map[string]any{"metadata": metadata})
	if err != nil {
		return err
	}
	_, err = c.objects.Client(kubernetes.Deployments.Resource, d.Namespace).Patch(ctx, d.Name, types.MergePatchType, text, metav1.PatchOptions{})
	return err
}

// hashOfSteps changes with every field of the style except the pauses of the
// steps and the failure threshold, as calculateRolloutHash of Kruise.
func hashOfSteps(rollout *v1beta1.Rollout) string {
	withoutPauses := func(steps []v1beta1.CanaryStep) []v1beta1.CanaryStep {
		steps = slices.Clone(steps)
		for i := range steps {
			steps[i].Pause = v1beta1.RolloutPause{}
		}
		return steps
	}
	if c := rollout.Spec.Strategy.Canary; c != nil {
		style := *c
		style.FailureThreshold, style.Steps = nil, withoutPauses(c.Steps)
		return hashOfValue(style)
	}
	if b := rollout.Spec.Strategy.BlueGreen; b != nil {
		style := *b
		style.FailureThreshold, style.Steps = nil, withoutPauses(b.Steps)
		return hashOfValue(style)
	}
	return hashOfValue(nil)
}

func hashOfValue(value any) string {
	text, _ := json.Marshal(value)
	h := fnv.New64a()
	_, _ = h.Write(text)
	return utilrand.SafeEncodeString(fmt.Sprintf("%016x", h.Sum64()))
}

func (c *Controller) timesOf(rollout *v1beta1.Rollout) *times {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.times[rollout.UID]
	if t == nil {
		t = &times{}
		c.times[rollout.UID] = t
	}
	return t
}

func deepCopy(status *v1beta1.RolloutStatus) *v1beta1.RolloutStatus {
	out := *status
	if status.CanaryStatus != nil {
		out.CanaryStatus = new(*status.CanaryStatus)
	}
	if status.BlueGreenStatus != nil {
		out.BlueGreenStatus = new(*status.BlueGreenStatus)
	}
	out.Conditions = slices.Clone(status.Conditions)
	return &out
}

// workload is the Deployment of a Rollout.
type workload struct {
	*apps.Deployment
	revision, stable string
	held, rolledBack bool
	// unfound is set if the controller does not find a revision of the pods, and
	// waits for one.
	unfound bool
}

func hashOf(d *apps.Deployment) string { return kubernetes.HashOf(d) }

// workloadOf reads the Deployment; nil if it does not exist.
func (c *Controller) workloadOf(ctx context.Context, rollout *v1beta1.Rollout) (*workload, error) {
	if rollout.Spec.WorkloadRef.Kind != "Deployment" || rollout.Spec.WorkloadRef.Name == "" {
		return nil, nil
	}
	d, err := kubernetes.Deployments.Live(ctx, c.objects, rollout.Namespace, rollout.Spec.WorkloadRef.Name)
	if err != nil || d == nil {
		return nil, err
	}
	w := &workload{Deployment: d, revision: hashOf(d), stable: d.Labels[labelStable], held: d.Annotations[annotationHeld] != ""}
	w.rolledBack = w.held && w.revision == w.stable
	if rollout.Spec.Strategy.Style() == v1beta1.StyleCanary {
		w.unfound, err = c.withoutPods(ctx, d)
	}
	return w, err
}

// withoutPods reports whether no ReplicaSet of a Deployment wants pods. With the extra
// workload of a canary, ControllerFinder.getDeployment then returns a workload whose
// status is not consistent.
func (c *Controller) withoutPods(ctx context.Context, d *apps.Deployment) (bool, error) {
	active, err := activeSets(ctx, c.objects, d)
	return active == 0, err
}

// activeSets counts the ReplicaSets of a Deployment that want pods.
func activeSets(ctx context.Context, objects *controller.Objects, d *apps.Deployment) (active int, err error) {
	list, err := objects.Client(kubernetes.ReplicaSets.Resource, d.Namespace).List(ctx, metav1.ListOptions{LabelSelector: metav1.FormatLabelSelector(d.Spec.Selector)})
	if err != nil {
		return 0, err
	}
	for i := range list.Items {
		set, err := kubernetes.ReplicaSets.From(&list.Items[i])
		if err == nil && metav1.IsControlledBy(set, d) && (set.Spec.Replicas == nil || *set.Spec.Replicas > 0) {
			active++
		}
	}
	return active, nil
}

func (w *workload) replicas() int {
	if w.Spec.Replicas == nil {
		return 1
	}
	return int(*w.Spec.Replicas)
}

// consistent reports whether Kubernetes' controller has observed the last change.
func (w *workload) consistent() bool {
	return w.Generation == w.Status.ObservedGeneration && !w.unfound
}

// releaseID returns the ID of the release.
func (w *workload) releaseID() string {
	if w.rolledBack {
		return "rollback-" + w.revision
	}
	return w.revision
}

// writeStatus replaces the whole status, also if the Rollout has changed since it was
// read: a change of the status that another client has made meanwhile, for example an
// approval, is lost (updateRolloutStatusInternal).
func (r *reconciliation) writeStatus(ctx context.Context) error {
	if sub := r.status.Sub(); sub != nil {
		r.status.CurrentStepIndex, r.status.CurrentStepState = sub.CurrentStepIndex, sub.CurrentStepState
	}
	if reflect.DeepEqual(r.status, r.old) {
		return nil
	}
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		current, err := Rollouts.Live(ctx, r.c.objects, r.rollout.Namespace, r.rollout.Name)
		if err != nil || current == nil {
			return err
		}
		current.Status = r.status
		_, err = Rollouts.UpdateStatus(ctx, r.c.objects, current)
		return err
	})
}
