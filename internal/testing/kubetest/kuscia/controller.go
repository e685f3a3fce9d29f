package kuscia

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// Manager is Kuscia's field manager: the name of its program.
const Manager = "kuscia"

// Namespace is the only namespace whose KusciaDeployments Kuscia processes.
const Namespace = "cross-domain"

// Phases of a KusciaDeployment.
const (
	phaseProgressing      = "Progressing"
	phasePartialAvailable = "PartialAvailable"
	phaseAvailable        = "Available"
	phaseFailed           = "Failed"
)

// reconcileTime is the delay before Kuscia processes an object.
const reconcileTime = 50 * time.Millisecond

// failure is an error that is reported in the status, with a reason.
type failure struct {
	reason string
	err    error
}

// Error implements error.
func (f *failure) Error() string { return f.err.Error() }

// Controller is Kuscia's controller of KusciaDeployments.
type Controller struct {
	*controller.Loop
	objects *controller.Objects
	clock   *controller.Clock
	ports   ports
}

// NewController returns a controller that uses a client with the name Manager.
func NewController(config *rest.Config, caches *controller.Caches, clock *controller.Clock) (*Controller, error) {
	objects, err := controller.NewObjects(config, caches)
	if err != nil {
		return nil, err
	}
	c := &Controller{objects: objects, clock: clock}
	c.Loop = controller.NewLoop("kuscia", c.reconcile)
	c.WatchOnly(objects.Informer(Deployments.Resource), isProcessed, func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	})
	// App images are read and not watched, as in Kuscia.
	objects.Informer(AppImages.Resource)
	objects.Informer(Domains.Resource)
	c.watchChildren()
	return c, nil
}

// isProcessed reports whether the event of an object is processed. That one with
// finalizers no longer exists is not noticed: its last event has a deletion
// timestamp, too.
func isProcessed(object any) bool {
	meta, ok := object.(metav1.Object)
	return ok && meta.GetNamespace() == Namespace && meta.GetDeletionTimestamp() == nil
}

// Run runs the controller until the context ends.
func (c *Controller) Run(ctx context.Context) error {
	if err := c.objects.Start(ctx); err != nil {
		return err
	}
	c.Loop.Run(ctx)
	return nil
}

func (c *Controller) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, _ := strings.Cut(key, "/")
	kd, err := Deployments.Cached(c.objects, namespace, name)
	switch {
	case err != nil:
		return 0, err
	case kd == nil:
		return 0, c.clean(ctx, namespace, name)
	}
	if kd.Status.LastReconcileTime == nil {
		select {
		case <-time.After(c.clock.Scaled(reconcileTime)):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return 0, c.process(ctx, kd)
}

// process first writes the annotations and allocated ports, and with them the
// whole object; the reconciliation of that change creates the other objects.
func (c *Controller) process(ctx context.Context, kd *Deployment) error {
	before := *kd.Status.deepCopy()
	if err := validate(kd); err != nil {
		return c.fail(ctx, kd, before, nil, &failure{reason: "ValidateFailed", err: err})
	}
	annotated, err := c.annotate(kd)
	if err != nil {
		return err
	}
	kits, allocated, err := c.partyKits(kd)
	if err != nil {
		return c.fail(ctx, kd, before, nil, err)
	}
	if annotated || allocated {
		_, err := Deployments.Update(ctx, c.objects, kd)
		return err
	}
	if err := c.makeChildren(ctx, kd, kits); err != nil {
		return c.fail(ctx, kd, before, kits, err)
	}
	if c.refresh(kd, kits) && !reflect.DeepEqual(kd.Status, before) {
		return c.tell(ctx, kd)
	}
	return nil
}

// fail reports a failure, unless the Deployments are healthy. For this reason
// failures of updates are not visible.
func (c *Controller) fail(ctx context.Context, kd *Deployment, before DeploymentStatus, kits []*partyKit, err error) error {
	var told *failure
	if !errors.As(err, &told) {
		return err
	}
	kd.Status.Phase, kd.Status.Reason, kd.Status.Message = phaseFailed, told.reason, told.Error()
	c.refresh(kd, kits)
	if reflect.DeepEqual(kd.Status, before) {
		return nil
	}
	return c.tell(ctx, kd)
}

func (c *Controller) tell(ctx context.Context, kd *Deployment) error {
	kd.Status.LastReconcileTime = new(metav1.NewTime(time.Now().Truncate(time.Second)))
	if kd.Status.TotalParties == 0 {
		kd.Status.TotalParties = len(kd.Spec.Parties)
	}
	_, err := Deployments.UpdateStatus(ctx, c.objects, kd)
	return err
}

// clean deletes the objects of a deleted KusciaDeployment.
func (c *Controller) clean(ctx context.Context, namespace, name string) error {
	selector := labels.Set{labelOwnerNamespace: namespace, labelName: name}
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

func (s *DeploymentStatus) deepCopy() *DeploymentStatus {
	made := *s
	if s.PartyDeploymentStatuses == nil {
		return &made
	}
	made.PartyDeploymentStatuses = map[string]map[string]*PartyStatus{}
	for domain, parties := range s.PartyDeploymentStatuses {
		made.PartyDeploymentStatuses[domain] = map[string]*PartyStatus{}
		for name, party := range parties {
			made.PartyDeploymentStatuses[domain][name] = new(*party)
		}
	}
	return &made
}
