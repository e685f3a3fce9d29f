// Package kuscia runs Kuscia's controller (package kusciadeployment) on the
// KusciaDeployments of an API server.
package kuscia

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// Manager is Kuscia's field manager: the name of its program.
const Manager = "kuscia"

// reconcileTime is the delay before Kuscia processes an object.
const reconcileTime = 50 * time.Millisecond

// Kinds of Kuscia.
var (
	Deployments = controller.Kind[objects.KusciaDeployment]{Resource: of("kusciadeployments"), Kind: "KusciaDeployment"}
	AppImages   = controller.Kind[objects.AppImage]{Resource: of("appimages"), Kind: "AppImage"}
	Domains     = controller.Kind[objects.Domain]{Resource: of("domains"), Kind: "Domain"}
	Routes      = controller.Kind[objects.ClusterDomainRoute]{Resource: of("clusterdomainroutes"), Kind: "ClusterDomainRoute"}
)

func of(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: resource}
}

// Controller is Kuscia's controller of KusciaDeployments, with that of domains, and with what that
// of routes does to both.
type Controller struct {
	*controller.Loop
	Domains, Routes *controller.Loop

	objects *controller.Objects
	version versions.Version
	// ended is set when the controllers have crashed.
	ended atomic.Bool
	clock *controller.Clock
	ports kusciadeployment.Ports

	mu      sync.Mutex
	retries map[string]int // by key
}

// NewController returns a controller that uses a client with the name Manager.
func NewController(config *rest.Config, caches *controller.Caches, clock *controller.Clock, version versions.Version) (*Controller, error) {
	objects, err := controller.NewObjects(config, caches)
	if err != nil {
		return nil, err
	}
	c := &Controller{objects: objects, clock: clock, version: version, retries: map[string]int{}}
	c.Loop = controller.NewLoop("kuscia", c.reconcile)
	c.WatchOnly(objects.Informer(Deployments.Resource), c.isProcessed, func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	})
	// App images are read and not watched, as in Kuscia.
	objects.Informer(AppImages.Resource)
	objects.Informer(kubernetes.Namespaces.Resource)
	c.watchChildren()
	c.Domains, c.Routes = c.newDomainLoop(), c.newRouteLoop()
	return c, nil
}

// isProcessed reports whether the event of an object is processed. That one with
// finalizers no longer exists is not noticed: its last event has a deletion
// timestamp, too.
func (c *Controller) isProcessed(object any) bool {
	meta, ok := object.(metav1.Object)
	return ok && meta.GetNamespace() == c.namespace() && meta.GetDeletionTimestamp() == nil
}

// namespace is that of KusciaDeployments, which old versions have without one.
func (c *Controller) namespace() string {
	if !c.version.Has(versions.NamespacedDeployments) {
		return ""
	}
	return objects.CrossDomain
}

// Run runs the controller until the context ends.
func (c *Controller) Run(ctx context.Context) error {
	if err := c.objects.Start(ctx); err != nil {
		return err
	}
	var running sync.WaitGroup
	running.Go(func() { c.Loop.Run(ctx) })
	running.Go(func() { c.Domains.Run(ctx) })
	running.Go(func() { c.Routes.Run(ctx) })
	running.Wait()
	return nil
}

// HasAppImage reports whether an app image is in the cache, from which the
// controller takes it.
func (c *Controller) HasAppImage(name string) bool {
	image, err := AppImages.Cached(c.objects, "", name)
	return err == nil && image != nil
}

func (c *Controller) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return 0, err
	}
	kd, err := Deployments.Cached(c.objects, namespace, name)
	switch {
	case err != nil:
		return 0, err
	case kd == nil:
		c.failures(key, nil)
		return 0, c.clean(ctx, namespace, name)
	case c.ended.Load():
		return 0, nil
	}
	if kd.Status.LastReconcileTime == nil {
		select {
		case <-time.After(c.clock.Scaled(reconcileTime)):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	of := kusciadeployment.Controller{Store: store{c, ctx}, Version: c.version}
	err = of.Reconcile(kd, time.Now())
	if ctx.Err() != nil || apierrors.IsConflict(err) {
		return 0, err // the loop repeats it at once
	}
	n := c.failures(key, err)
	switch {
	case err == nil:
		return 0, nil
	case n > kusciadeployment.MaxRetries:
		c.failures(key, nil)
		return c.clock.Scaled(reconcileTime) + time.Millisecond, of.GiveUp(kd, err, time.Now())
	}
	klog.ErrorS(err, "Kuscia tries again.", "object", key)
	return c.clock.Scaled(kusciadeployment.RetryDelay(n-1)) + time.Millisecond, nil
}

// failures counts failed passes in a row.
func (c *Controller) failures(key string, err error) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		delete(c.retries, key)
		return 0
	}
	c.retries[key]++
	return c.retries[key]
}

// clean deletes the objects of a deleted KusciaDeployment. In old versions Kubernetes does that,
// so that it goes on when the controllers have ended.
func (c *Controller) clean(ctx context.Context, namespace, name string) error {
	selector := labels.Set{objects.LabelName: name}
	if namespace != "" {
		selector[objects.LabelOwnerNamespace] = namespace
	}
	return errors.Join(
		deleteAll(ctx, c.objects, kubernetes.Services, selector),
		deleteAll(ctx, c.objects, kubernetes.Deployments, selector),
		deleteAll(ctx, c.objects, kubernetes.ConfigMaps, selector),
	)
}

func deleteAll[T any, P interface {
	*T
	metav1.Object
}](ctx context.Context, objects *controller.Objects, kind controller.Kind[T], selector labels.Set) error {
	all, err := kind.CachedWith(objects, "", selector)
	for _, one := range all {
		meta := P(one)
		err = errors.Join(err, kind.Delete(ctx, objects, meta.GetNamespace(), meta.GetName()))
	}
	return err
}
