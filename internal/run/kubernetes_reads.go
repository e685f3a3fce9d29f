package run

import (
	"context"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// kubernetesReads serves refreshes of many objects of a kind from one list
// request. It is safe for concurrent use. The zero value is ready for use.
type kubernetesReads struct {
	mu    sync.Mutex
	kinds map[listScope]*SharedList[objects]
	// lookups caches objects that other objects are checked against, such as
	// app images.
	lookups map[kube.Kind]*cache[*unstructured.Unstructured]
	client  *kube.Client
}

// listScope is the scope of a list: a kind in a namespace, or in all namespaces
// with "".
type listScope struct {
	kind      kube.Kind
	namespace string
}

// objects are the objects of a list by namespace and name.
type objects map[string]*unstructured.Unstructured

// ReadKubernetes returns an object for a refresh. The first read of a kind gets
// the object by name. For reads that follow soon, all objects of the kind are
// listed once, in listNamespace, or in all namespaces with "". The returned
// value is shared and must not be changed. An object that the list lacks is
// read by name before it counts as deleted.
func (r *Run) ReadKubernetes(ctx context.Context, client *kube.Client, kind kube.Kind, listNamespace, namespace, name string) (*unstructured.Unstructured, error) {
	all, listed, err := r.kubernetesReads.of(listScope{kind, listNamespace}).Get(ctx, func(ctx context.Context) (objects, error) {
		found, err := client.List(ctx, kind, kube.ListOptions{Namespace: listNamespace})
		if err != nil {
			return nil, err
		}
		items := make(objects, len(found.Items))
		for i := range found.Items {
			item := &found.Items[i]
			items[item.GetNamespace()+"/"+item.GetName()] = item
		}
		return items, nil
	})
	if err != nil {
		return nil, err
	}
	if found := all[namespace+"/"+name]; listed && found != nil {
		return found, nil
	}
	return client.Get(ctx, kind, namespace, name)
}

// ForgetKubernetes drops the lists of a kind. Call it before and after a write
// of an object of that kind.
func (r *Run) ForgetKubernetes(kind kube.Kind) {
	reads := &r.kubernetesReads
	reads.mu.Lock()
	defer reads.mu.Unlock()
	for scope := range reads.kinds {
		if scope.kind == kind {
			delete(reads.kinds, scope)
		}
	}
}

// of returns the list of a scope.
func (r *kubernetesReads) of(scope listScope) *SharedList[objects] {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kinds == nil {
		r.kinds = map[listScope]*SharedList[objects]{}
	}
	if r.kinds[scope] == nil {
		r.kinds[scope] = &SharedList[objects]{}
	}
	return r.kinds[scope]
}

// LookupKubernetes returns an object that a check in a plan needs; namespace is "" for
// cluster-scoped kinds. Each object is requested once: many deployments have the same app
// images and domains. Not found and forbidden are cached for some time too.
func (r *Run) LookupKubernetes(ctx context.Context, client *kube.Client, kind kube.Kind, namespace, name string) (*unstructured.Unstructured, error) {
	return r.kubernetesReads.lookup(client, kind).get(ctx, namespace+"/"+name)
}

// lookup returns the cache of the objects of a kind, by namespace and name.
func (r *kubernetesReads) lookup(client *kube.Client, kind kube.Kind) *cache[*unstructured.Unstructured] {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lookups == nil || r.client != client {
		r.client, r.lookups = client, map[kube.Kind]*cache[*unstructured.Unstructured]{}
	}
	if r.lookups[kind] == nil {
		r.lookups[kind] = newCache(func(ctx context.Context, key string) (*unstructured.Unstructured, error) {
			namespace, name, _ := strings.Cut(key, "/")
			return client.Get(ctx, kind, namespace, name)
		})
		r.lookups[kind].keepError = keepRefusal
	}
	return r.lookups[kind]
}
