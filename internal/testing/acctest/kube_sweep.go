package acctest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
)

// sweepOrder are the resources that a sweep deletes, in this order: a Rollout
// that outlives its workload leaves its BatchRelease and canary Deployment, and
// a traffic routing has a finalizer of its Rollout. Kuscia leaves the objects of
// a KusciaDeployment that had finalizers.
var sweepOrder = []schema.GroupVersionResource{KubeRollouts, KubeTrafficRoutings, KubeBatchReleases, KubeKusciaDeployments, KubeDeployments, KubeServices, KubeConfigMaps}

// sweepFollows are the resources that controllers delete afterwards.
var sweepFollows = []schema.GroupVersionResource{KubeReplicaSets, KubePods}

// finalizersAfter is the time after which a sweep removes finalizers: a Rollout
// whose workload has a kind that is not served keeps its own for ever.
const finalizersAfter = 20 * time.Second

// Sweep deletes, when the test ends, the Rollouts, traffic routings,
// BatchReleases, KusciaDeployments, Deployments, Services and ConfigMaps of all
// namespaces with this name or with names that continue it after a hyphen, and
// waits until they and their pods do not exist anymore. Call it after the
// app images are created, so that these outlive their KusciaDeployments. A
// server of one test is not swept: it ends with the test.
func (k *Kube) Sweep(name string) {
	k.t.Helper()
	if k.own {
		return
	}
	k.t.Cleanup(func() {
		for _, resource := range sweepOrder {
			k.sweep(resource, name)
		}
		for _, resource := range sweepFollows {
			k.awaitNone(resource, name)
		}
	})
}

// sweep deletes the objects of a resource with a name, and waits.
func (k *Kube) sweep(resource schema.GroupVersionResource, name string) {
	k.t.Helper()
	for _, object := range k.named(resource, name) {
		k.Delete(resource, object.GetNamespace(), object.GetName())
	}
	k.awaitNone(resource, name)
}

// awaitNone waits until no object of a resource has a name.
func (k *Kube) awaitNone(resource schema.GroupVersionResource, name string) {
	k.t.Helper()
	var left []unstructured.Unstructured
	since := time.Now()
	err := wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, outOfBandTimeout, true, func(ctx context.Context) (bool, error) {
		left = k.named(resource, name)
		for _, object := range left {
			if time.Since(since) > finalizersAfter && object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) > 0 {
				patch := []byte(`{"metadata":{"finalizers":null}}`)
				_, _ = k.client(resource, object.GetNamespace()).Patch(ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{})
			}
		}
		return len(left) == 0, nil
	})
	if err != nil {
		k.t.Errorf("%s are left: %s", resource.Resource, namesOf(left))
	}
}

// named returns the objects of a resource with a name, or with one that
// continues it.
func (k *Kube) named(resource schema.GroupVersionResource, name string) (found []unstructured.Unstructured) {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	found, err := namedIn(ctx, k.Client, resource, []string{name})
	if err != nil {
		k.t.Errorf("listing %s: %v", resource.Resource, err)
	}
	return found
}

func namedIn(ctx context.Context, client dynamic.Interface, resource schema.GroupVersionResource, names []string) (found []unstructured.Unstructured, err error) {
	list, err := client.Resource(resource).List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil // not installed
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", resource.Resource, err)
	}
	for _, object := range list.Items {
		continues := func(name string) bool {
			return object.GetName() == name || strings.HasPrefix(object.GetName(), name+"-")
		}
		if slices.ContainsFunc(names, continues) {
			found = append(found, object)
		}
	}
	return found, nil
}

func namesOf(objects []unstructured.Unstructured) string {
	names := make([]string, len(objects))
	for i, object := range objects {
		names[i] = object.GetNamespace() + "/" + object.GetName()
	}
	return strings.Join(names, ", ")
}

// usedNames are the names that tests of this binary have used on a control plane
// that outlives them, with a client of that control plane.
var usedNames struct {
	sync.Mutex
	client dynamic.Interface
	names  []string
}

// remember records a name for RunKube.
func (k *Kube) remember(name string) {
	if k.own {
		return
	}
	usedNames.Lock()
	defer usedNames.Unlock()
	usedNames.client, usedNames.names = k.Client, append(usedNames.names, name)
}

// RunKube is RunParallel, and fails if any test has left an object with one of
// its names on a shared control plane.
func RunKube(m *testing.M, tests int) int {
	code := RunParallel(m, tests)
	left, err := leftovers()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "looking for what the tests have left:", err)
	case len(left) > 0:
		fmt.Fprintln(os.Stderr, "the tests have left:\n"+strings.Join(left, "\n"))
	default:
		return code
	}
	return max(code, 1)
}

// leftovers describes the objects with names of this binary's tests.
func leftovers() (left []string, err error) {
	usedNames.Lock()
	defer usedNames.Unlock()
	if usedNames.client == nil {
		return nil, nil
	}
	ctx, cancel := outOfBand()
	defer cancel()
	for _, resource := range append(append([]schema.GroupVersionResource{KubeAppImages}, sweepOrder...), sweepFollows...) {
		found, err := namedIn(ctx, usedNames.client, resource, usedNames.names)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			left = append(left, resource.Resource+": "+namesOf(found))
		}
	}
	return left, nil
}
