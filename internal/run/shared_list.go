package run

import (
	"context"
	"sync"
	"time"
)

// SharedList serves concurrent reads from one list. It is safe for concurrent
// use. The zero value is ready for use.
type SharedList[V any] struct {
	mu sync.Mutex
	// last is the time of the last read.
	last time.Time
	// listing is the list that reads share, or nil.
	listing *listing[V]
	// noListUntil is set after a failed list.
	noListUntil time.Time
}

// listing is a running or finished list request.
type listing[V any] struct {
	done  chan struct{}
	value V
	err   error
	// until is how long it serves reads.
	until time.Time
}

const (
	// readsTogether is the maximum time between two reads that are considered
	// part of many.
	readsTogether = 2 * time.Second
	// listKept is how long a list serves reads: Terraform reads ten objects at
	// a time, and the plan of a thousand takes some time. Writes do not use the
	// list.
	listKept = 30 * time.Second
	// listRetry is how long a failed list is not repeated.
	listRetry = 30 * time.Second
)

// Get returns the list for a read. listed is false if the object has to be read
// alone: for the first read, and after a failed list. An error is that of the
// context.
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

// join returns the list for a read, or nil if the object has to be read alone.
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
	// The request is not canceled with the caller that started it, since
	// others wait for it.
	go s.fill(context.WithoutCancel(ctx), l, list)
	return l
}

func (s *SharedList[V]) fill(ctx context.Context, l *listing[V], list func(context.Context) (V, error)) {
	defer close(l.done)
	value, err := list(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		// Each object is read alone then, which may be permitted, and otherwise
		// returns the actual error.
		l.err, s.listing, s.noListUntil = err, nil, time.Now().Add(listRetry)
		return
	}
	l.value, l.until = value, time.Now().Add(listKept)
}
