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

// kubernetesReads answers refreshes of many objects of a kind from one list. It
// is safe for concurrent use, and its zero value is ready.
type kubernetesReads struct {
	mu    sync.Mutex
	kinds map[listScope]*sharedList
	// lookups are objects that rules ask for, such as app images.
	lookups *cache[*unstructured.Unstructured]
	client  *kube.Client
}

// listScope is what one list has: a kind in a namespace, or in all with "".
type listScope struct {
	kind      kube.Kind
	namespace string
}

// sharedList is what is known of a kind.
type sharedList struct {
	// last is when an object was last asked for alone.
	last time.Time
	// listing is the list that reads share; nil if there is none.
	listing *listing
	// noListUntil is set after a list that failed.
	noListUntil time.Time
}

// listing is a list on its way, or its result.
type listing struct {
	done  chan struct{}
	items map[string]*unstructured.Unstructured
	err   error
	// until is for how long it answers reads.
	until time.Time
}

const (
	// readsTogether is within which time a second read is one of many.
	readsTogether = 2 * time.Second
	// listKept is for how long a list answers reads: Terraform reads ten objects
	// at a time, and the plan of a thousand takes a while. A write looks for itself.
	listKept = 30 * time.Second
	// listRetry is for how long a list that failed is not tried again.
	listRetry = 30 * time.Second
)

// ReadKubernetes returns an object for a refresh. One that is asked for alone is
// asked for by its name; of those that are read together, all are listed at once:
// in listNamespace, or in all namespaces with "". The value is shared: do not
// change it. One that a list does not have is asked for once more before it
// counts as gone.
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

// ForgetKubernetes drops what is known of a kind, before and after an object of
// it is written.
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

// list is the list that answers a read, or nil for one that is to be asked for
// alone.
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
		// Each is asked for alone then, which may be allowed, and tells otherwise
		// what is wrong.
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

// LookupKubernetes returns an object that a rule of a plan asks for, each one
// once: many deployments have the same app images and domains. That one does not
// exist, or that nobody may ask for it, is remembered for a while.
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

// lookupKinds are the kinds that rules ask for, by what their keys begin with.
var lookupKinds = map[string]kube.Kind{"a": kube.AppImages, "d": kube.Domains}
