package engine

import (
	"container/heap"
	"time"
)

// event is a function that runs at a simulated time.
type event struct {
	at  time.Time
	seq uint64 // preserves the order of simultaneous events
	run func()
}

// eventQueue is a heap of events, earliest first.
type eventQueue []event

// Len implements heap.Interface.
func (q eventQueue) Len() int { return len(q) }

// Less implements heap.Interface.
func (q eventQueue) Less(i, j int) bool {
	if q[i].at.Equal(q[j].at) {
		return q[i].seq < q[j].seq
	}
	return q[i].at.Before(q[j].at)
}

// Swap implements heap.Interface.
func (q eventQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *eventQueue) Push(e any) { *q = append(*q, e.(event)) } //nolint:forcetypeassert // After adds only events

// Pop implements heap.Interface.
func (q *eventQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = event{} // so that its function is not kept
	*q = (*q)[:last]
	return e
}

// After runs a function after a delay in simulated time.
func (e *Engine) After(delay time.Duration, run func()) time.Time {
	e.seq++
	at := e.now.Add(delay)
	heap.Push(&e.events, event{at: at, seq: e.seq, run: run})
	return at
}

// catchUp runs all events that are due. It is called with the lock held, at the
// start of every request.
func (e *Engine) catchUp() {
	target := e.clock.now()
	for len(e.events) > 0 && !e.events[0].at.After(target) {
		next := heap.Pop(&e.events).(event) //nolint:forcetypeassert // the queue has only events
		if next.at.After(e.now) {
			e.now = next.at
		}
		next.run()
	}
	if target.After(e.now) {
		e.now = target
	}
}
