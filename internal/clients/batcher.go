package clients

import (
	"context"
	"sync"
	"time"
)

const (
	// batchDelay is how long a query waits for others that can go into the same
	// request.
	batchDelay = 3 * time.Millisecond
	// batchSize is how many names a request has at most.
	batchSize = 100
)

// batcher combines queries that are made at the same time into one request. It is
// safe for concurrent use.
type batcher[V any] struct {
	// ask answers for all names in their order, or fails as a whole.
	ask func(ctx context.Context, names []string) ([]V, error)

	mu   sync.Mutex
	next *batchRequest[V]
}

// batchRequest is one request. values and err may be read once done is closed.
type batchRequest[V any] struct {
	names []string
	full  chan struct{}

	done   chan struct{}
	values []V
	err    error
}

// get queries a name, in one request with others if there are any. When a request
// for several names fails, each is queried alone: one of them may be the reason.
func (g *batcher[V]) get(ctx context.Context, name string) (V, error) {
	request, at := g.join(ctx, name)
	var none V
	select {
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case <-request.done:
	}
	switch {
	case request.err == nil:
		return request.values[at], nil
	case len(request.names) == 1:
		return none, request.err
	}
	values, err := g.ask(ctx, []string{name})
	if err != nil {
		return none, err
	}
	return values[0], nil
}

// join adds a name to the next request, and says where its answer will be.
func (g *batcher[V]) join(ctx context.Context, name string) (request *batchRequest[V], at int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next == nil {
		g.next = &batchRequest[V]{full: make(chan struct{}), done: make(chan struct{})}
		// The request outlives who began it, since others wait for the same
		// answer; the client's own time limit bounds it.
		go g.send(context.WithoutCancel(ctx), g.next)
	}
	request, at = g.next, len(g.next.names)
	request.names = append(request.names, name)
	if len(request.names) == batchSize {
		g.next = nil
		close(request.full)
	}
	return request, at
}

// send waits for more names and asks.
func (g *batcher[V]) send(ctx context.Context, request *batchRequest[V]) {
	select {
	case <-request.full:
	case <-time.After(batchDelay):
	}
	g.mu.Lock()
	if g.next == request {
		g.next = nil
	}
	g.mu.Unlock()
	request.values, request.err = g.ask(ctx, request.names)
	close(request.done)
}
