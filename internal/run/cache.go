package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// cache caches values by name. Concurrent callers for the same name share a
// request. It is safe for concurrent use.
type cache[V any] struct {
	query func(ctx context.Context, name string) (V, error)
	// keepError returns how long an error is cached; if nil, errors are not
	// cached.
	keepError func(error) time.Duration

	flight singleflight.Group
	mu     sync.Mutex
	known  map[string]cacheEntry[V]
	// generation counts the calls of forget for a name. A response to a request that was sent
	// before a forget must not be cached after it.
	generation map[string]int
}

// cacheEntry is a cached value; until is zero if it does not expire.
type cacheEntry[V any] struct {
	value V
	err   error
	until time.Time
	// queriedAt is the time of the request; zero if unknown.
	queriedAt time.Time
}

func newCache[V any](query func(ctx context.Context, name string) (V, error)) *cache[V] {
	return &cache[V]{query: query, known: map[string]cacheEntry[V]{}, generation: map[string]int{}}
}

// getSince is get for responses to requests made at or after a time.
func (c *cache[V]) getSince(ctx context.Context, name string, since time.Time) (V, error) {
	return c.getUnless(ctx, name, func(known cacheEntry[V]) bool {
		return known.err == nil && known.queriedAt.Before(since)
	})
}

// lookup returns why there is no value for a name. now is set if it does not count that there was
// none before the call: another client may have created the object since then.
func (c *cache[V]) lookup(ctx context.Context, name string, now bool) error {
	began := time.Now()
	_, err := c.getUnless(ctx, name, func(known cacheEntry[V]) bool {
		return now && errors.Is(known.err, apierror.ErrNotFound) && known.queriedAt.Before(began)
	})
	return err
}

// getUnless is get, which queries again if the response is too old.
func (c *cache[V]) getUnless(ctx context.Context, name string, isOld func(cacheEntry[V]) bool) (V, error) {
	found := c.find(ctx, name)
	if ctx.Err() == nil && isOld(found) {
		c.forget(name)
		found = c.find(ctx, name)
	}
	return found.value, found.err
}

// get returns the value for a name. It is shared and must not be changed. A
// caller whose context ends stops waiting; other callers for the same name
// still get the response.
func (c *cache[V]) get(ctx context.Context, name string) (V, error) {
	found := c.find(ctx, name)
	return found.value, found.err
}

// find is get with the time of the request.
func (c *cache[V]) find(ctx context.Context, name string) cacheEntry[V] {
	c.mu.Lock()
	found, ok := c.known[name]
	age := c.generation[name]
	c.mu.Unlock()
	if ok && (found.until.IsZero() || time.Now().Before(found.until)) {
		return found
	}

	// The request is not canceled with the caller that started it, since
	// others may wait for it; the client's timeout limits it.
	detached := context.WithoutCancel(ctx)
	response := c.flight.DoChan(name, func() (any, error) {
		entry := cacheEntry[V]{queriedAt: time.Now()}
		entry.value, entry.err = c.query(detached, name)
		c.put(name, age, entry)
		return entry, nil
	})

	select {
	case <-ctx.Done():
		return cacheEntry[V]{err: context.Cause(ctx)}
	case got := <-response:
		entry, _ := got.Val.(cacheEntry[V])
		return entry
	}
}

func (c *cache[V]) put(name string, age int, entry cacheEntry[V]) {
	if err := entry.err; err != nil {
		if c.keepError == nil || c.keepError(err) <= 0 {
			return
		}
		entry.until = time.Now().Add(c.keepError(err))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generation[name] == age {
		c.known[name] = entry
	}
}

// dropError removes a cached error for which drop returns true, so that the next get
// queries again.
func (c *cache[V]) dropError(name string, drop func(error) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.known[name].err; err != nil && drop(err) {
		delete(c.known, name)
	}
}

// store caches a value that was queried elsewhere.
func (c *cache[V]) store(name string, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[name] = cacheEntry[V]{value: value}
}

// forget removes a name from the cache, after the object was created, changed
// or deleted.
func (c *cache[V]) forget(name string) {
	c.mu.Lock()
	delete(c.known, name)
	c.generation[name]++
	c.mu.Unlock()
	c.flight.Forget(name)
}
