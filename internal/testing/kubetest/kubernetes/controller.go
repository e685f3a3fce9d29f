package kubernetes

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/agent"
	work "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// Manager is the field manager of Kubernetes' own controllers.
const Manager = "kube-controller-manager"

// podStart is the time until a pod is ready, or until it is visible that it failed.
const podStart = time.Second

// backOff is the first delay of the kubelet before a container that has ended again is restarted.
const backOff = 10 * time.Second

// replicaSetLag is the delay between scaling a ReplicaSet and the update of its status.
const replicaSetLag = 70 * time.Millisecond

// Controller runs the controllers of package workload on the Deployments of the API
// server, and writes their ReplicaSets, pods and status. Other clients only delete pods, so it keeps them in
// memory and writes only changes.
type Controller struct {
	*controller.Loop
	objects *controller.Objects
	clock   *controller.Clock
	start   time.Duration // of a pod; 0: by the clock
	starter work.Starter

	mu        sync.Mutex
	workloads map[types.UID]*workload
	// deleted are the names of deleted pods, by the key of their Deployment.
	deleted map[string][]string
	// withoutAdvanced is set while no controller of OpenKruise scales Deployments.
	withoutAdvanced bool
}

// NewController returns a controller that uses a client with the name Manager. Pods take
// start until they are ready, or podStart by the clock if it is 0. Their nodes have agents of a
// version of Kuscia.
func NewController(config *rest.Config, caches *controller.Caches, clock *controller.Clock, start time.Duration, version versions.Version) (*Controller, error) {
	objects, err := controller.NewObjects(config, caches)
	if err != nil {
		return nil, err
	}
	c := &Controller{objects: objects, clock: clock, start: start, starter: agent.Agent{Store: agentStore{objects}, Version: version}, workloads: map[types.UID]*workload{}, deleted: map[string][]string{}}
	c.Loop = controller.NewLoop("kubernetes", c.reconcile)
	c.Watch(objects.Informer(Deployments.Resource), func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	})
	objects.Informer(ConfigMaps.Resource) // for the agent
	_, err = objects.Informer(Pods.Resource).AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.podDeleted})
	return c, err
}

// podDeleted reconciles the Deployment of a deleted pod.
func (c *Controller) podDeleted(object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	deleted, ok := object.(metav1.Object)
	if !ok || metav1.GetControllerOf(deleted) == nil {
		return
	}
	hash := deleted.GetLabels()[apps.DefaultDeploymentUniqueLabelKey]
	key := deleted.GetNamespace() + "/" + strings.TrimSuffix(metav1.GetControllerOf(deleted).Name, "-"+hash)
	c.mu.Lock()
	c.deleted[key] = append(c.deleted[key], deleted.GetName())
	c.mu.Unlock()
	c.Add(key)
}

// takeDeleted returns the pods of a Deployment that were deleted since the last call.
func (c *Controller) takeDeleted(key string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.deleted[key]
	delete(c.deleted, key)
	return names
}

// SetAdvanced starts or stops the controller of OpenKruise that scales the Deployments
// under its control, which this controller simulates too.
func (c *Controller) SetAdvanced(on bool) {
	c.mu.Lock()
	c.withoutAdvanced = !on
	c.mu.Unlock()
	for _, key := range c.objects.Informer(Deployments.Resource).GetStore().ListKeys() {
		c.Add(key)
	}
}

// timing has the durations of the controllers, of which those of Kubernetes' own take
// as long as real ones.
func (c *Controller) timing() work.Timing {
	start := c.start
	if start == 0 {
		start = c.clock.Scaled(podStart)
	}
	return work.Timing{Step: replicaSetLag, Report: replicaSetLag, Start: start, BackOff: c.clock.Scaled(backOff), Second: c.clock.Scaled(time.Second)}
}

// Run runs the controller until the context ends.
func (c *Controller) Run(ctx context.Context) error {
	if err := c.objects.Start(ctx); err != nil {
		return err
	}
	c.Loop.Run(ctx)
	return nil
}

// reconcile reconciles a Deployment: it scales, and writes the pods and the
// status.
func (c *Controller) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, _ := strings.Cut(key, "/")
	d, err := Deployments.Cached(c.objects, namespace, name)
	if err != nil {
		return 0, err
	}
	if err := c.collect(ctx, namespace, name, d); err != nil {
		return 0, err
	}
	deleted := c.takeDeleted(key)
	if d == nil || d.DeletionTimestamp != nil {
		return 0, nil
	}
	now, w := time.Now(), c.workloadOf(d)
	w.Delete(deleted, now)
	next := work.RunPods(&w.Deployment, now, c.timing(), c.starter)
	if rolled := work.Roll(&w.Deployment, now, c.timing()); next.IsZero() || !rolled.IsZero() && rolled.Before(next) {
		next = rolled
	}
	if err := w.write(ctx, c.objects, d); err != nil {
		return 0, err
	}
	if next.IsZero() {
		return 0, c.tell(ctx, d, w)
	}
	return max(time.Until(next), time.Millisecond), c.tell(ctx, d, w)
}

func (c *Controller) workloadOf(d *apps.Deployment) *workload {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workloads[d.UID]
	if w == nil {
		w = &workload{key: d.Namespace + "/" + d.Name}
		c.workloads[d.UID] = w
	}
	w.Spec = specOf(d, !c.withoutAdvanced, w.Template)
	return w
}

// collect deletes the objects of deleted Deployments with this name.
func (c *Controller) collect(ctx context.Context, namespace, name string, now *apps.Deployment) error {
	c.mu.Lock()
	all := maps.Clone(c.workloads)
	c.mu.Unlock()
	for uid, w := range all {
		if w.key != namespace+"/"+name || (now != nil && now.UID == uid) {
			continue
		}
		w.Sets = nil
		if err := w.write(ctx, c.objects, &apps.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}); err != nil {
			return err
		}
		c.mu.Lock()
		delete(c.workloads, uid)
		c.mu.Unlock()
	}
	return nil
}

// tell writes the status, and the revision if it has changed.
func (c *Controller) tell(ctx context.Context, d *apps.Deployment, w *workload) error {
	status := w.statusOf(d)
	if revision := strconv.Itoa(w.Revisions); w.Revisions > 0 && d.Annotations[annotationRevision] != revision {
		changed := d.DeepCopy()
		metav1.SetMetaDataAnnotation(&changed.ObjectMeta, annotationRevision, revision)
		written, err := Deployments.Update(ctx, c.objects, changed)
		if err != nil {
			return err
		}
		d = written
	}
	if equality.Semantic.DeepEqual(d.Status, status) {
		return nil
	}
	changed := d.DeepCopy()
	changed.Status = status
	_, err := Deployments.UpdateStatus(ctx, c.objects, changed)
	return err
}
