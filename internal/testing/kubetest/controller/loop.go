package controller

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

// Loop is a controller: a queue of keys, and a function that reconciles one.
type Loop struct {
	// Name is the name of the controller for starting and stopping it.
	Name string
	// Reconcile reconciles one object. It is called again after the returned
	// duration, if it is not 0, and soon after an error.
	Reconcile func(ctx context.Context, key string) (time.Duration, error)

	queue workqueue.TypedRateLimitingInterface[string]

	mu      sync.Mutex
	stopped bool
	lag     time.Duration
	missed  map[string]bool
}

// NewLoop returns a loop that does nothing before Run.
func NewLoop(name string, reconcile func(ctx context.Context, key string) (time.Duration, error)) *Loop {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, time.Second)
	return &Loop{
		Name: name, Reconcile: reconcile, missed: map[string]bool{},
		queue: workqueue.NewTypedRateLimitingQueue(limiter),
	}
}

// Add queues an object for reconciliation, after the loop's lag.
func (l *Loop) Add(key string) {
	l.mu.Lock()
	lag := l.lag
	l.mu.Unlock()
	l.queue.AddAfter(key, lag)
}

// Watch queues every changed object. keys returns the keys to reconcile for an
// object.
func (l *Loop) Watch(informer cache.SharedIndexInformer, keys func(object any) []string) {
	l.WatchOnly(informer, func(any) bool { return true }, keys)
}

// WatchOnly is Watch for the objects that a filter passes. An object that no
// longer passes it counts as deleted, once.
func (l *Loop) WatchOnly(informer cache.SharedIndexInformer, passes func(object any) bool, keys func(object any) []string) {
	add := func(object any) {
		for _, key := range keys(Last(object)) {
			l.Add(key)
		}
	}
	_, _ = informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(object any) bool { return passes(Last(object)) },
		Handler:    cache.ResourceEventHandlerFuncs{AddFunc: add, DeleteFunc: add, UpdateFunc: func(_, object any) { add(object) }},
	})
}

// Last returns the object of an event, for a delete that was not seen in its
// last known form.
func Last(object any) any {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return gone.Obj
	}
	return object
}

// SetLag sets the lag of objects queued from now on.
func (l *Loop) SetLag(lag time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lag = lag
}

// Stop pauses the loop until Start.
func (l *Loop) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
}

// Start continues after Stop, with all keys that were queued meanwhile.
func (l *Loop) Start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = false
	for key := range l.missed {
		l.queue.Add(key)
	}
	clear(l.missed)
}

// Stopped reports whether Stop was called.
func (l *Loop) Stopped() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopped
}

// Run reconciles until the context ends.
func (l *Loop) Run(ctx context.Context) {
	const workers = 4
	context.AfterFunc(ctx, l.queue.ShutDown)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for l.next(ctx) {
			}
		})
	}
	working.Wait()
}

func (l *Loop) next(ctx context.Context) bool {
	key, end := l.queue.Get()
	if end {
		return false
	}
	defer l.queue.Done(key)
	if l.miss(key) {
		return true
	}
	after, err := l.Reconcile(ctx, key)
	switch {
	case apierrors.IsConflict(err):
		l.queue.AddAfter(key, time.Millisecond)
	case err != nil:
		if ctx.Err() == nil {
			klog.ErrorS(err, "A controller tries again.", "controller", l.Name, "object", key)
		}
		l.queue.AddRateLimited(key)
	default:
		l.queue.Forget(key)
		if after > 0 {
			l.queue.AddAfter(key, after)
		}
	}
	return true
}

// miss stores a key for Start if the loop is stopped.
func (l *Loop) miss(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		l.missed[key] = true
	}
	return l.stopped
}
