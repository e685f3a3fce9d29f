package kuscia

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// The kinds of Kubernetes, as Kuscia's controller has them.
var (
	services    = controller.Kind[objects.Service]{Resource: kubernetes.Services.Resource, Kind: "Service"}
	configMaps  = controller.Kind[objects.ConfigMap]{Resource: kubernetes.ConfigMaps.Resource, Kind: "ConfigMap"}
	deployments = controller.Kind[objects.Deployment]{Resource: kubernetes.Deployments.Resource, Kind: "Deployment"}
)

// store implements kusciadeployment.Store for one pass: it reads from the caches, and
// from the API server what is not in them, and writes to the API server.
type store struct {
	*Controller
	ctx context.Context
}

func (s store) Domain(name string) (*objects.Domain, error) {
	return Domains.Cached(s.objects, "", name)
}

// HasNamespace is also true for a domain whose namespace is about to be made.
func (s store) HasNamespace(name string) (bool, error) {
	domain, err := s.Domain(name)
	if domain != nil || err != nil {
		return domain != nil, err
	}
	there, err := found(s, kubernetes.Namespaces, "", name)
	return there != nil, err
}

func (s store) AppImage(name string) (*objects.AppImage, error) {
	return AppImages.Cached(s.objects, "", name)
}

func (s store) Service(namespace, name string) (*objects.Service, error) {
	return found(s, services, namespace, name)
}

func (s store) ConfigMap(namespace, name string) (*objects.ConfigMap, error) {
	return found(s, configMaps, namespace, name)
}

func (s store) Deployment(namespace, name string) (*objects.Deployment, error) {
	return found(s, deployments, namespace, name)
}

func found[T any](s store, kind controller.Kind[T], namespace, name string) (*T, error) {
	there, err := kind.Cached(s.objects, namespace, name)
	if err == nil && there == nil {
		there, err = kind.Live(s.ctx, s.objects, namespace, name)
	}
	return there, err
}

func (s store) Waiting(d *objects.Deployment) (n int, reason, message string, err error) {
	if d.Spec.Selector == nil {
		return 0, "", "", nil
	}
	pods, err := kubernetes.Pods.CachedWith(s.objects, d.Meta.Namespace, labels.Set(d.Spec.Selector.MatchLabels))
	slices.SortFunc(pods, func(a, b *core.Pod) int { return strings.Compare(a.Name, b.Name) }) // as in a list
	for _, pod := range pods {
		for _, container := range pod.Status.ContainerStatuses {
			if reason, message, found := reasonOf(container.State); found {
				return len(pods), reason, message, nil
			}
		}
	}
	return len(pods), "", "", err
}

func reasonOf(state core.ContainerState) (reason, message string, found bool) {
	if state.Terminated != nil {
		return state.Terminated.Reason, state.Terminated.Message, true
	}
	if w := state.Waiting; w != nil && w.Reason != "" && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
		return w.Reason, w.Message, true
	}
	return "", "", false
}

func (s store) TakePorts(domain string, n int) int32 {
	return s.ports.Take(domain, int32(n), rand.Int32N)
}

func (s store) CreateService(object *objects.Service) error {
	_, err := services.Create(s.ctx, s.objects, object)
	return err
}

func (s store) CreateConfigMap(object *objects.ConfigMap) error {
	_, err := configMaps.Create(s.ctx, s.objects, object)
	return err
}

func (s store) CreateDeployment(object *objects.Deployment) error {
	_, err := deployments.Create(s.ctx, s.objects, object)
	return err
}

func (s store) Update(kd *objects.KusciaDeployment) error {
	_, err := Deployments.Update(s.ctx, s.objects, kd)
	return err
}

func (s store) UpdateStatus(kd *objects.KusciaDeployment) error {
	_, err := Deployments.UpdateStatus(s.ctx, s.objects, kd)
	return err
}

// UpdateDeployment writes what differs, since the Deployment has fields that Kuscia's
// controller does not read here.
func (s store) UpdateDeployment(before, after *objects.Deployment) error {
	cached, exists, err := s.objects.Informer(deployments.Resource).GetStore().GetByKey(before.Meta.Namespace + "/" + before.Meta.Name)
	there, ok := cached.(*unstructured.Unstructured)
	if err != nil || !exists || !ok {
		return apierrors.NewConflict(deployments.Resource.GroupResource(), before.Meta.Name, err) // it is read again
	}
	from, err := tree(before)
	if err != nil {
		return err
	}
	to, err := tree(after)
	if err != nil {
		return err
	}
	there = there.DeepCopy()
	merged(there.Object, from, to) // in place
	there.SetResourceVersion(before.Meta.ResourceVersion)
	_, err = s.objects.Client(deployments.Resource, before.Meta.Namespace).Update(s.ctx, there, metav1.UpdateOptions{})
	return err
}

// tree is the JSON of an object, with whole numbers as the API server has them.
func tree(object any) (decoded any, err error) {
	text, err := json.Marshal(object)
	if err == nil {
		err = utiljson.Unmarshal(text, &decoded)
	}
	return decoded, err
}

// merged changes in an object what differs between two versions of a part of it.
func merged(object, before, after any) any {
	if reflect.DeepEqual(before, after) {
		return object
	}
	switch to := after.(type) {
	case map[string]any:
		there, isMap := object.(map[string]any)
		from, hadMap := before.(map[string]any)
		if !isMap || !hadMap {
			return after
		}
		for name := range from {
			if _, kept := to[name]; !kept {
				delete(there, name)
			}
		}
		for name, value := range to {
			there[name] = merged(there[name], from[name], value)
		}
		return there
	case []any:
		there, isList := object.([]any)
		from, hadList := before.([]any)
		if !isList || !hadList || len(there) != len(to) || len(from) != len(to) {
			return after
		}
		for i := range to {
			there[i] = merged(there[i], from[i], to[i])
		}
		return there
	}
	return after
}
