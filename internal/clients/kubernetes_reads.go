package clients

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// kubernetesReads serves refreshes of many objects of a kind from one list request.
// It is safe for concurrent use, and its zero value is ready.
type kubernetesReads struct {
	mu    sync.Mutex
	kinds map[listScope]*sharedList
	// lookups caches objects that checks of other objects need, such as app images.
	lookups *cache[*unstructured.Unstructured]
	client  *kube.Client
}

// listScope is what one list has: a kind in a namespace, or in all with "".
type listScope struct {
	kind      kube.Kind
	namespace string
}

// sharedList is the state of the reads of a kind.
type sharedList struct {
	// last is when an object of the kind was last read.
	last time.Time
	// listing is the list that reads share; nil if there is none.
	listing *listing
	// noListUntil is when a list may be tried again after one that failed.
	noListUntil time.Time
}

// listing is a list request, in progress or done.
type listing struct {
	done  chan struct{}
	items map[string]*unstructured.Unstructured
	err   error
	// until is when it expires for reads; zero while the request is in progress.
	until time.Time
}

const (
	// readsTogether is the time after a read within which the next one is served by
	// a list.
	readsTogether = 2 * time.Second
	// listKept is for how long a list serves reads: Terraform reads ten objects at a
	// time, and the plan of a thousand takes a while. Writes read the object alone.
	listKept = 30 * time.Second
	// listRetry is the pause before a list that failed is tried again.
	listRetry = 30 * time.Second
)

// ReadKubernetes returns an object for a refresh. The first read of a kind gets the
// object by its name; for reads that follow soon, all objects of the kind are listed
// once, in listNamespace, or in all namespaces with "". The returned value is shared
// and must not be changed. An object that the list does not have is read by its name
// before it counts as gone.
func (c *Clients) ReadKubernetes(ctx context.Context, client *kube.Client, kind kube.Kind, listNamespace, namespace, name string) (*unstructured.Unstructured, error) {
	if list := c.kubernetesReads.list(ctx, client, listScope{kind, listNamespace}); list != nil {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-list.done:
		}
		if found := list.items[namespace+"/"+name]; found != nil {
			return found, nil
		}
	}
	return client.Get(ctx, kind, namespace, name) //nolint:wrapcheck // the client's errors say what was asked
}

// ForgetKubernetes drops the lists of a kind. It is called before and after a write of
// an object of that kind.
func (c *Clients) ForgetKubernetes(kind kube.Kind) {
	r := &c.kubernetesReads
	r.mu.Lock()
	defer r.mu.Unlock()
	for scope := range r.kinds {
		if scope.kind == kind {
			delete(r.kinds, scope)
		}
	}
}

// list is the list that serves a read, or nil if the object is to be read by its
// name.
func (r *kubernetesReads) list(ctx context.Context, client *kube.Client, scope listScope) *listing {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kinds == nil {
		r.kinds = map[listScope]*sharedList{}
	}
	shared := r.kinds[scope]
	if shared == nil {
		shared = &sharedList{}
		r.kinds[scope] = shared
	}
	now := time.Now()
	alone := now.Sub(shared.last) > readsTogether
	shared.last = now
	switch l := shared.listing; {
	case l != nil && (l.until.IsZero() || now.Before(l.until)):
		return l
	case alone, now.Before(shared.noListUntil):
		return nil
	}
	l := &listing{done: make(chan struct{})}
	shared.listing = l
	// It outlives the caller that started it, since others wait for it.
	go r.fill(context.WithoutCancel(ctx), client, scope, shared, l)
	return l
}

func (r *kubernetesReads) fill(ctx context.Context, client *kube.Client, scope listScope, shared *sharedList, l *listing) {
	defer close(l.done)
	found, err := client.List(ctx, scope.kind, kube.ListOptions{Namespace: scope.namespace})
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		// Each object is then read by its name, which may be allowed, and otherwise
		// returns an error that says what is wrong.
		l.err, shared.listing, shared.noListUntil = err, nil, time.Now().Add(listRetry)
		return
	}
	l.items = make(map[string]*unstructured.Unstructured, len(found.Items))
	for i := range found.Items {
		item := &found.Items[i]
		l.items[item.GetNamespace()+"/"+item.GetName()] = item
	}
	l.until = time.Now().Add(listKept)
}

// LookupKubernetes returns an object that a check in a plan needs, and requests each
// one once: many deployments have the same app images and domains. Not found and
// forbidden are cached for a while as well.
func (c *Clients) LookupKubernetes(ctx context.Context, client *kube.Client, kind kube.Kind, name string) (*unstructured.Unstructured, error) {
	r := &c.kubernetesReads
	r.mu.Lock()
	if r.lookups == nil || r.client != client {
		r.client = client
		r.lookups = newCache(func(ctx context.Context, key string) (*unstructured.Unstructured, error) {
			return client.Get(ctx, lookupKinds[key[:1]], "", key[1:]) //nolint:wrapcheck // the client's errors say what was asked
		})
		r.lookups.keepError = func(err error) time.Duration {
			if errors.Is(err, apierror.ErrNotFound) || errors.Is(err, apierror.ErrUnauthorized) || errors.Is(err, apierror.ErrUnsupported) {
				return missingDomainKept
			}
			return 0
		}
	}
	lookups := r.lookups
	r.mu.Unlock()
	for prefix, known := range lookupKinds {
		if known == kind {
			return lookups.get(ctx, prefix+name)
		}
	}
	return client.Get(ctx, kind, "", name) //nolint:wrapcheck // the client's errors say what was asked
}

// lookupKinds are the kinds for LookupKubernetes, by the prefix of their cache keys.
var lookupKinds = map[string]kube.Kind{"a": kube.AppImages, "d": kube.Domains}
