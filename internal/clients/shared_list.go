package clients

import (
	"context"
	"sync"
	"time"
)

// SharedList answers reads that come together from one list. It is safe for
// concurrent use, and its zero value is ready.
type SharedList[V any] struct {
	mu sync.Mutex
	// last is when there was a read.
	last time.Time
	// listing is the list that reads share; nil if there is none.
	listing *listing[V]
	// noListUntil is set after a list that failed.
	noListUntil time.Time
}

// listing is a list on its way, or its result.
type listing[V any] struct {
	done  chan struct{}
	value V
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

// Get returns the list for a read. listed is false for a read that is to be made
// alone: the first one, and those after a list that failed. An error is that of
// the context.
func (s *SharedList[V]) Get(ctx context.Context, list func(context.Context) (V, error)) (value V, listed bool, err error) {
	l := s.join(ctx, list)
	if l == nil {
		return value, false, nil
	}
	select {
	case <-ctx.Done():
		return value, false, context.Cause(ctx)
	case <-l.done:
	}
	return l.value, l.err == nil, nil
}

// join is the list that answers a read, or nil for one that is to be made alone.
func (s *SharedList[V]) join(ctx context.Context, list func(context.Context) (V, error)) *listing[V] {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	alone := now.Sub(s.last) > readsTogether
	s.last = now
	switch l := s.listing; {
	case l != nil && (l.until.IsZero() || now.Before(l.until)):
		return l
	case alone, now.Before(s.noListUntil):
		return nil
	}
	l := &listing[V]{done: make(chan struct{})}
	s.listing = l
	// It outlives the caller that started it, since others wait for it.
	go s.fill(context.WithoutCancel(ctx), l, list)
	return l
}

func (s *SharedList[V]) fill(ctx context.Context, l *listing[V], list func(context.Context) (V, error)) {
	defer close(l.done)
	value, err := list(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		// Each is asked for alone then, which may be allowed, and tells otherwise
		// what is wrong.
		l.err, s.listing, s.noListUntil = err, nil, time.Now().Add(listRetry)
		return
	}
	l.value, l.until = value, time.Now().Add(listKept)
}
