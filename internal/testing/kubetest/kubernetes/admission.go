package kubernetes

import (
	"context"
	"sync"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/validation"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/crds"
)

// Admission sets the defaults of Deployments and namespaces, and rejects what Kubernetes'
// validation rejects: objects in missing namespaces, and invalid Deployments
// and Services as far as Kuscia can create them.
type Admission struct {
	mu         sync.Mutex
	namespaces map[string]bool
}

// NewAdmission returns an Admission that knows no namespaces.
func NewAdmission() *Admission { return &Admission{namespaces: map[string]bool{}} }

// Handles implements admission.Interface.
func (*Admission) Handles(admission.Operation) bool { return true }

// Admit implements admission.MutationInterface.
func (a *Admission) Admit(_ context.Context, attributes admission.Attributes, _ admission.ObjectInterfaces) error {
	object, ok := attributes.GetObject().(*unstructured.Unstructured)
	if !ok || attributes.GetSubresource() != "" || !isWrite(attributes) {
		return nil
	}
	switch attributes.GetResource().GroupResource() {
	case schema.GroupResource{Group: crds.Apps, Resource: "deployments"}:
		return withDefaults(object)
	case schema.GroupResource{Group: crds.Core, Resource: crds.Namespaces}:
		labels := object.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels[core.LabelMetadataName] = object.GetName()
		object.SetLabels(labels)
		return unstructured.SetNestedField(object.Object, string(core.NamespaceActive), "status", "phase")
	case schema.GroupResource{Group: crds.Core, Resource: "services"}:
		// This must run before the API server validates names by the rules of
		// custom resources.
		return checked(object, schema.GroupKind{Kind: "Service"}, validation.Service)
	}
	return nil
}

// Validate implements admission.ValidationInterface.
func (a *Admission) Validate(_ context.Context, attributes admission.Attributes, _ admission.ObjectInterfaces) error {
	if err := a.namespace(attributes); err != nil {
		return err
	}
	object, ok := attributes.GetObject().(*unstructured.Unstructured)
	if !ok || attributes.GetSubresource() != "" || !isWrite(attributes) {
		return nil
	}
	if attributes.GetResource().Group == crds.Apps && attributes.GetResource().Resource == "deployments" {
		return checked(object, schema.GroupKind{Group: "apps", Kind: "Deployment"}, validation.Deployment)
	}
	return nil
}

func isWrite(attributes admission.Attributes) bool {
	return attributes.GetOperation() == admission.Create || attributes.GetOperation() == admission.Update
}

// namespace records namespaces, and rejects objects in a namespace that does
// not exist.
func (a *Admission) namespace(attributes admission.Attributes) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if attributes.GetResource().Group == crds.Core && attributes.GetResource().Resource == crds.Namespaces {
		switch attributes.GetOperation() {
		case admission.Create:
			a.namespaces[attributes.GetName()] = true
		case admission.Delete:
			delete(a.namespaces, attributes.GetName())
		}
		return nil
	}
	name := attributes.GetNamespace()
	if attributes.GetOperation() != admission.Create || name == "" || a.namespaces[name] {
		return nil
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, name)
}

// checked returns the validation error of an object, in the words of
// Kubernetes.
func checked[T any](object *unstructured.Unstructured, kind schema.GroupKind, problems func(*T) field.ErrorList) error {
	typed := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if found := problems(typed); len(found) > 0 {
		err := apierrors.NewInvalid(kind, object.GetName(), found)
		err.ErrStatus.Message = validation.Error(kind.String(), object.GetName(), found).Error()
		return err
	}
	return nil
}

var (
	_ admission.MutationInterface   = &Admission{}
	_ admission.ValidationInterface = &Admission{}
)
