package sandbox

import "time"

// event is something that will happen in the world at a time.
type event struct {
	at  time.Time
	seq uint64 // keeps events of the same moment in their order
	run func()
}

func (e event) before(other event) bool {
	if e.at.Equal(other.at) {
		return e.seq < other.seq
	}
	return e.at.Before(other.at)
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

// after lets run happen when delay has passed in the world.
func (w *world) after(delay time.Duration, run func()) time.Time {
	w.seq++
	at := w.now.Add(delay)
	w.events.push(event{at: at, seq: w.seq, run: run})
	return at
}

// catchUp lets everything happen that is due at the time of the clock. It is
// called with the lock held, first thing in every request.
func (w *world) catchUp() {
	target := w.clock.now()
	for len(w.events) > 0 && !w.events[0].at.After(target) {
		next := w.events.pop()
		if next.at.After(w.now) {
			w.now = next.at
		}
		next.run()
	}
	if target.After(w.now) {
		w.now = target
	}
}
