// Package kruise simulates OpenKruise Rollouts, as recorded: the webhook that
// validates Rollouts and pauses Deployments, and the controllers that release a
// new version step by step.
package kruise

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"sync/atomic"

	apps "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/validation"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/crds"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// Manager is the field manager of OpenKruise Rollouts.
const Manager = "kruise-rollout"

// Kinds of OpenKruise Rollouts.
var (
	Rollouts      = controller.Kind[v1beta1.Rollout]{Resource: of("rollouts"), Kind: "Rollout"}
	BatchReleases = controller.Kind[v1beta1.BatchRelease]{Resource: of("batchreleases"), Kind: "BatchRelease"}
)

func of(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "rollouts.kruise.io", Version: "v1beta1", Resource: resource}
}

// Labels and annotations that the manager sets on Deployments.
const (
	labelType        = "rollouts.kruise.io/workload-type"
	labelStable      = "rollouts.kruise.io/stable-revision"
	annotationID     = "rollouts.kruise.io/rollout-id"
	labelCanary      = "rollouts.kruise.io/canary-deployment"
	annotationHeld   = "rollouts.kruise.io/in-progressing"
	annotationBefore = "rollouts.kruise.io/original-deployment-strategy"
	annotationOwner  = "batchrelease.rollouts.kruise.io/control-info"
)

// Webhook is the admission part. Like the real one, it ignores Deployments
// without the label that the controller sets on those with a Rollout.
type Webhook struct {
	objects atomic.Pointer[controller.Objects]
	down    atomic.Bool
}

// Use sets the client with which the webhook reads Rollouts.
func (w *Webhook) Use(objects *controller.Objects) { w.objects.Store(objects) }

// SetDown makes the webhook unavailable.
func (w *Webhook) SetDown(down bool) { w.down.Store(down) }

// Handles implements admission.Interface.
func (*Webhook) Handles(operation admission.Operation) bool {
	return operation == admission.Create || operation == admission.Update
}

// Admit implements admission.MutationInterface: a Deployment with a Rollout
// whose pods would be replaced is paused in the same write.
func (w *Webhook) Admit(ctx context.Context, attributes admission.Attributes, _ admission.ObjectInterfaces) error {
	object, ok := attributes.GetObject().(*unstructured.Unstructured)
	resource := attributes.GetResource()
	if !ok || attributes.GetSubresource() != "" || attributes.GetOperation() != admission.Update ||
		resource.Group != crds.Apps || resource.Resource != "deployments" || object.GetLabels()[labelType] == "" {
		return nil
	}
	if w.down.Load() {
		return refused("mdeployment.kb.io", "mutate-apps-v1-deployment")
	}
	before, ok := attributes.GetOldObject().(*unstructured.Unstructured)
	if !ok {
		return nil
	}
	var d, old apps.Deployment
	if runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &d) != nil || runtime.DefaultUnstructuredConverter.FromUnstructured(before.Object, &old) != nil {
		return nil //nolint:nilerr // the validation reports the error
	}
	rollout, err := w.rolloutOf(ctx, &d)
	if err != nil || rollout == nil {
		return err
	}
	if through, err := w.letsThrough(ctx, &d, &old, rollout); err != nil || through || !hold(&d, &old, rollout) {
		return err
	}
	// The API server sets defaults again after the change of a webhook.
	kubernetes.DefaultStrategy(&d.Spec.Strategy)
	return writeBack(object, &d)
}

// writeBack copies the changes of a Deployment into the object. It uses JSON,
// so that numbers have the types that the API server expects.
func writeBack(object *unstructured.Unstructured, d *apps.Deployment) error {
	text, err := json.Marshal(d.Spec)
	if err != nil {
		return err
	}
	after := &unstructured.Unstructured{}
	if err := after.UnmarshalJSON([]byte(`{"apiVersion":"v1","kind":"x","spec":` + string(text) + `}`)); err != nil {
		return err
	}
	object.Object["spec"] = after.Object["spec"]
	object.SetLabels(d.Labels)
	object.SetAnnotations(d.Annotations)
	return nil
}

// rolloutOf returns the Rollout of a Deployment, unless it is disabled.
func (w *Webhook) rolloutOf(ctx context.Context, d *apps.Deployment) (*v1beta1.Rollout, error) {
	all, err := w.list(ctx, d.Namespace)
	for _, rollout := range all {
		ref := rollout.Spec.WorkloadRef
		group, _ := schema.ParseGroupVersion(ref.APIVersion)
		if rollout.DeletionTimestamp == nil && rollout.Status.Phase != phaseDisabled &&
			group.Group == "apps" && ref.Kind == "Deployment" && ref.Name == d.Name {
			return rollout, nil
		}
	}
	return nil, err
}

func (w *Webhook) list(ctx context.Context, namespace string) ([]*v1beta1.Rollout, error) {
	objects := w.objects.Load()
	if objects == nil {
		return nil, nil
	}
	list, err := objects.Client(Rollouts.Resource, namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var all []*v1beta1.Rollout
	for i := range list.Items {
		rollout, err := Rollouts.From(&list.Items[i])
		if err != nil {
			return nil, err
		}
		all = append(all, rollout)
	}
	return all, nil
}

// Validate implements admission.ValidationInterface.
func (w *Webhook) Validate(ctx context.Context, attributes admission.Attributes, _ admission.ObjectInterfaces) error {
	object, ok := attributes.GetObject().(*unstructured.Unstructured)
	if !ok || attributes.GetSubresource() != "" || attributes.GetResource().GroupResource() != Rollouts.Resource.GroupResource() {
		return nil
	}
	// Removing a finalizer is an update as well, and always allowed.
	if w.down.Load() {
		return refused("vrollout.kb.io", "validate-rollouts-kruise-io-rollout")
	}
	rollout, err := rolloutFrom(object)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	others, err := w.list(ctx, rollout.Namespace)
	if err != nil {
		return err
	}
	problems := problemsOf(rollout, others)
	if before, ok := attributes.GetOldObject().(*unstructured.Unstructured); ok && len(problems) == 0 && attributes.GetOperation() == admission.Update {
		old, err := rolloutFrom(before)
		if err != nil {
			return apierrors.NewBadRequest(err.Error())
		}
		problems = problemsOfUpdate(old, rollout)
	}
	if len(problems) == 0 {
		return nil
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity,
		Message: fmt.Sprintf("admission webhook %q denied the request: %s", "vrollout.kb.io", validation.Message(problems)),
	}}
}

// rolloutFrom reads a Rollout of either version.
func rolloutFrom(object *unstructured.Unstructured) (*v1beta1.Rollout, error) {
	if object.GetAPIVersion() == "rollouts.kruise.io/v1alpha1" {
		converted, err := toBeta(object)
		if err != nil {
			return nil, err
		}
		object = converted
	}
	return Rollouts.From(object)
}

// webhookAddress is the address of the webhook in the recordings.
const webhookAddress = "127.0.0.1:19876"

// refused is the response while the manager is down.
func refused(name, path string) error {
	return apierrors.NewInternalError(fmt.Errorf(
		"failed calling webhook %q: failed to call webhook: Post \"https://%s/%s?timeout=5s\": dial tcp %s: connect: connection refused",
		name, webhookAddress, path, webhookAddress))
}

// letsThrough reports whether the webhook does not begin a release of a changed Deployment: it
// has no ReplicaSet with pods, or, with traffic routing, several (GetReplicaSetsForDeployment).
func (w *Webhook) letsThrough(ctx context.Context, d, old *apps.Deployment, rollout *v1beta1.Rollout) (bool, error) {
	objects := w.objects.Load()
	if objects == nil || d.Annotations[annotationHeld] != "" || !isRevised(d, old) {
		return false, nil
	}
	active, err := activeSets(ctx, objects, d)
	return active == 0 || active > 1 && len(rollout.Spec.Strategy.Routings()) > 0, err
}

// hold pauses a Deployment whose template changes, and keeps it paused until
// the release is over. It reports whether it changed the Deployment.
func hold(d, old *apps.Deployment, rollout *v1beta1.Rollout) bool {
	before := d.DeepCopy()
	revised := isRevised(d, old)
	switch {
	case d.Annotations[annotationHeld] != "":
		keepHeld(d, old, revised)
	case (d.Spec.Replicas != nil && *d.Spec.Replicas == 0) || !revised:
	default:
		d.Spec.Paused = true
		metav1.SetMetaDataLabel(&d.ObjectMeta, labelStable, hashOf(old))
		text, _ := json.Marshal(map[string]string{"rolloutName": rollout.Name})
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, annotationHeld, string(text))
	}
	return !reflect.DeepEqual(before, d)
}

// isRevised reports whether a Deployment gets a new version: if another client names its
// releases in an annotation, only when that changes, as isEffectiveDeploymentRevisionChange.
func isRevised(d, old *apps.Deployment) bool {
	if id := d.Annotations[annotationID]; id != "" {
		return id != old.Annotations[annotationID]
	}
	return !reflect.DeepEqual(old.Spec.Template, d.Spec.Template)
}

// keepHeld reverts changes by other clients to a Deployment during a release. A
// strategy that is set while Kruise scales the pods is stored in the
// annotation.
func keepHeld(d, old *apps.Deployment, revised bool) {
	switch strategy := strategyOf(d); {
	case strategy != nil:
		d.Spec.Paused = true
		if d.Spec.Strategy.Type == apps.RollingUpdateDeploymentStrategyType {
			d.Spec.Strategy.Type = apps.RecreateDeploymentStrategyType
		}
		if d.Spec.Strategy.RollingUpdate != nil {
			strategy.RollingUpdate = d.Spec.Strategy.RollingUpdate
			d.Spec.Strategy.RollingUpdate = nil
		}
		strategy.Paused = strategy.Paused || revised
		setStrategy(d, strategy)
	case d.Annotations[annotationBefore] != "":
		d.Spec.Paused = d.Spec.Paused || revised
		if d.Spec.Strategy.Type != apps.RollingUpdateDeploymentStrategyType {
			d.Spec.Strategy.Type = old.Spec.Strategy.Type
		}
	default:
		d.Spec.Paused = true
		if d.Spec.Strategy.Type == apps.RecreateDeploymentStrategyType {
			d.Spec.Strategy = old.Spec.Strategy
		}
	}
}

var (
	_ admission.MutationInterface   = &Webhook{}
	_ admission.ValidationInterface = &Webhook{}
)
