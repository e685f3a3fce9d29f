package clients

import (
	"context"
	"sync"
	"time"
)

const (
	// gatherTime is how long a question waits for others that can be asked with
	// it in one request.
	gatherTime = 3 * time.Millisecond
	// gatherMost is how many names a request has at most.
	gatherMost = 100
)

// gatherer asks for names that are desired at the same time in one request. It is
// safe for concurrent use.
type gatherer[V any] struct {
	// ask answers for all names in their order, or fails as a whole.
	ask func(ctx context.Context, names []string) ([]V, error)

	mu   sync.Mutex
	next *gathering[V]
}

// gathering is one request. What follows done is there once that is closed.
type gathering[V any] struct {
	names []string
	full  chan struct{}

	done   chan struct{}
	values []V
	err    error
}

// get asks for a name, with others if there are any. When the request for many
// fails, each name is asked for alone: one of them may be the reason.
func (g *gatherer[V]) get(ctx context.Context, name string) (V, error) {
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
func (g *gatherer[V]) join(ctx context.Context, name string) (request *gathering[V], at int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next == nil {
		g.next = &gathering[V]{full: make(chan struct{}), done: make(chan struct{})}
		// The request outlives who began it, since others wait for the same
		// answer; the client's own time limit bounds it.
		go g.send(context.WithoutCancel(ctx), g.next)
	}
	request, at = g.next, len(g.next.names)
	request.names = append(request.names, name)
	if len(request.names) == gatherMost {
		g.next = nil
		close(request.full)
	}
	return request, at
}

// send waits for more names and asks.
func (g *gatherer[V]) send(ctx context.Context, request *gathering[V]) {
	select {
	case <-request.full:
	case <-time.After(gatherTime):
	}
	g.mu.Lock()
	if g.next == request {
		g.next = nil
	}
	g.mu.Unlock()
	request.values, request.err = g.ask(ctx, request.names)
	close(request.done)
}
