package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

const (
	// batchDelay is how long a query waits for others to share a request with.
	batchDelay = 3 * time.Millisecond
	// batchSize is the maximum number of names in a request.
	batchSize = 100
)

// batcher combines concurrent queries into one request. It is safe for
// concurrent use.
type batcher[V any] struct {
	// query returns the values of all names in order, or an error.
	query func(ctx context.Context, names []string) ([]V, error)

	mu   sync.Mutex
	next *batchRequest[V]
}

// batchRequest is one request. values and err are valid once done is closed.
type batchRequest[V any] struct {
	names []string
	full  chan struct{}

	done   chan struct{}
	values []V
	err    error
}

// get queries a name, in one request with others if there are any. If a request
// for several names fails, each one is queried alone: one of them may be the
// reason, unless the server did not answer.
func (b *batcher[V]) get(ctx context.Context, name string) (V, error) {
	request, at := b.join(ctx, name)
	var none V
	select {
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case <-request.done:
	}
	switch {
	case request.err == nil:
		return request.values[at], nil
	case len(request.names) == 1, errors.Is(request.err, apierror.ErrUnavailable):
		return none, request.err
	}
	values, err := b.query(ctx, []string{name})
	if err != nil {
		return none, err
	}
	return values[0], nil
}

// join adds a name to the next request, and returns the index of its value.
func (b *batcher[V]) join(ctx context.Context, name string) (request *batchRequest[V], at int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = &batchRequest[V]{full: make(chan struct{}), done: make(chan struct{})}
		// The request is not canceled with the caller that started it, since
		// others wait for it; the client's timeout limits it.
		go b.send(context.WithoutCancel(ctx), b.next)
	}
	request, at = b.next, len(b.next.names)
	request.names = append(request.names, name)
	if len(request.names) == batchSize {
		b.next = nil
		close(request.full)
	}
	return request, at
}

// send waits for more names and sends the request.
func (b *batcher[V]) send(ctx context.Context, request *batchRequest[V]) {
	select {
	case <-request.full:
	case <-time.After(batchDelay):
	}
	b.mu.Lock()
	if b.next == request {
		b.next = nil
	}
	b.mu.Unlock()
	request.values, request.err = b.query(ctx, request.names)
	close(request.done)
}
