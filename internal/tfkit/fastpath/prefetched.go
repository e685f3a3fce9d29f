package fastpath

import "context"

// Prefetched is a response that a shortcut has fetched and could not use. It
// passes it to the resource in the context, so that the resource does not fetch
// it again.
type Prefetched[T any] struct {
	// Key identifies the object among those with responses of type T.
	Key string
	// Response is the response, Err the error of the request.
	Response T
	Err      error
}

type prefetchedKey[T any] struct{}

// With returns a context with the response.
func (p Prefetched[T]) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, prefetchedKey[T]{}, p)
}

// PrefetchedOf returns the response for an object in a context, if there is one.
func PrefetchedOf[T any](ctx context.Context, key string) (p Prefetched[T], ok bool) {
	p, ok = ctx.Value(prefetchedKey[T]{}).(Prefetched[T])
	return p, ok && p.Key == key
}
