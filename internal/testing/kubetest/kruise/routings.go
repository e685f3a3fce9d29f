package kruise

import (
	"context"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// trafficRouting routes the traffic of the Rollouts that refer to it.
type trafficRouting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              map[string]any       `json:"spec,omitempty"`
	Status            trafficRoutingStatus `json:"status,omitempty"`
}

type trafficRoutingStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Phase              string `json:"phase,omitempty"`
	Message            string `json:"message,omitempty"`
}

var trafficRoutings = controller.Kind[trafficRouting]{Resource: schema.GroupVersionResource{Group: "rollouts.kruise.io", Version: "v1alpha1", Resource: "trafficroutings"}, Kind: "TrafficRouting"}

const (
	annotationRouting = "rollouts.kruise.io/trafficrouting"
	routingFinalizer  = "rollouts.kruise.io/trafficrouting"
	// progressingPrefix is the prefix of the finalizer of each Rollout with a
	// routed release.
	progressingPrefix = "progressing.rollouts.kruise.io/"
)

// Routings is the controller of TrafficRoutings. It finds no Ingress or
// Gateway, so TrafficRoutings never become healthy.
type Routings struct {
	*controller.Loop
	objects *controller.Objects
}

func newRoutings(objects *controller.Objects) *Routings {
	r := &Routings{objects: objects}
	r.Loop = controller.NewLoop("traffic routing", r.reconcile)
	r.Watch(objects.Informer(trafficRoutings.Resource), func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	})
	return r
}

// reconcile manages the controller's own finalizer. It does not remove the
// finalizer of a release: a deleted TrafficRouting remains until the release is
// over.
func (r *Routings) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, _ := strings.Cut(key, "/")
	routing, err := trafficRoutings.Live(ctx, r.objects, namespace, name)
	if err != nil || routing == nil {
		return 0, err
	}
	has := slices.Contains(routing.Finalizers, routingFinalizer)
	switch deleting := routing.DeletionTimestamp != nil; {
	case deleting && has:
		return 0, setFinalizer(ctx, r.objects, routing, routingFinalizer, false)
	case deleting && routing.Status.Phase != phaseTerminating:
		routing.Status = trafficRoutingStatus{ObservedGeneration: routing.Generation, Phase: phaseTerminating, Message: routing.Status.Message}
		_, err = trafficRoutings.UpdateStatus(ctx, r.objects, routing)
	case !deleting && !has:
		return 0, setFinalizer(ctx, r.objects, routing, routingFinalizer, true)
	}
	return 0, err
}

func setFinalizer(ctx context.Context, objects *controller.Objects, routing *trafficRouting, finalizer string, set bool) error {
	routing.Finalizers = slices.DeleteFunc(routing.Finalizers, func(name string) bool { return name == finalizer })
	if set {
		routing.Finalizers = append(routing.Finalizers, finalizer)
	}
	_, err := trafficRoutings.Update(ctx, objects, routing)
	return err
}

// routed sets the finalizer of a release on the TrafficRouting that its Rollout
// refers to, and reports whether it is set. It waits for a TrafficRouting that
// does not exist.
func (r *reconciliation) routed(ctx context.Context) (bool, error) {
	name := r.rollout.Annotations[annotationRouting]
	if name == "" {
		return true, nil
	}
	routing, err := trafficRoutings.Live(ctx, r.c.objects, r.rollout.Namespace, name)
	if err != nil || routing == nil {
		return false, err
	}
	finalizer := progressingPrefix + r.rollout.Name
	if slices.Contains(routing.Finalizers, finalizer) {
		return true, nil
	}
	if routing.Status.Phase == phaseTerminating || routing.DeletionTimestamp != nil {
		return false, nil
	}
	return false, setFinalizer(ctx, r.c.objects, routing, finalizer, true)
}

// unrouted removes the finalizer of a release.
func (r *reconciliation) unrouted(ctx context.Context) error {
	name := r.rollout.Annotations[annotationRouting]
	if name == "" {
		return nil
	}
	routing, err := trafficRoutings.Live(ctx, r.c.objects, r.rollout.Namespace, name)
	finalizer := progressingPrefix + r.rollout.Name
	if err != nil || routing == nil || !slices.Contains(routing.Finalizers, finalizer) {
		return err
	}
	return setFinalizer(ctx, r.c.objects, routing, finalizer, false)
}
