package engine

import "time"

// event is a function that runs at a simulated time.
type event struct {
	at  time.Time
	seq uint64 // preserves the order of simultaneous events
	run func()
}

func (ev event) before(other event) bool {
	if ev.at.Equal(other.at) {
		return ev.seq < other.seq
	}
	return ev.at.Before(other.at)
}

// eventQueue is a binary heap of events, earliest first.
type eventQueue []event

func (q *eventQueue) push(e event) {
	*q = append(*q, e)
	heap := *q
	for child := len(heap) - 1; child > 0; {
		parent := (child - 1) / 2
		if !heap[child].before(heap[parent]) {
			return
		}
		heap[child], heap[parent] = heap[parent], heap[child]
		child = parent
	}
}

// pop removes the earliest event; the queue must not be empty.
func (q *eventQueue) pop() event {
	heap := *q
	first, last := heap[0], len(heap)-1
	heap[0], heap[last] = heap[last], event{}
	heap = heap[:last]
	*q = heap
	for parent := 0; ; {
		child := 2*parent + 1
		if child >= len(heap) {
			return first
		}
		if right := child + 1; right < len(heap) && heap[right].before(heap[child]) {
			child = right
		}
		if !heap[child].before(heap[parent]) {
			return first
		}
		heap[child], heap[parent] = heap[parent], heap[child]
		parent = child
	}
}

// After runs a function after a delay in simulated time.
func (e *Engine) After(delay time.Duration, run func()) time.Time {
	e.seq++
	at := e.now.Add(delay)
	e.events.push(event{at: at, seq: e.seq, run: run})
	return at
}

// catchUp runs all events that are due. It is called with the lock held, at the
// start of every request.
func (e *Engine) catchUp() {
	target := e.clock.now()
	for len(e.events) > 0 && !e.events[0].at.After(target) {
		next := e.events.pop()
		if next.at.After(e.now) {
			e.now = next.at
		}
		next.run()
	}
	if target.After(e.now) {
		e.now = target
	}
}
