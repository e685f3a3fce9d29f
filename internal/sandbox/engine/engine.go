package engine

import (
	"math/rand/v2"
	"sync"
	"time"
)

// Engine has the simulated time, the queue of events and the lock of a simulation.
// Nothing runs in the background: Acquire first runs all events that are due.
type Engine struct {
	mu     sync.Mutex
	clock  *clock
	now    time.Time // the time up to which events have run
	events eventQueue
	seq    uint64
	uids   uint64
	// Seed is the seed of Rand, the source of random numbers.
	Seed uint64
	Rand *rand.Rand
}

// New returns an engine; only Advance changes a frozen clock. Seed 0 means a
// random one.
func New(frozen bool, seed uint64) *Engine {
	if seed == 0 {
		seed = rand.Uint64()
	}
	c := newClock(frozen)
	return &Engine{clock: c, now: c.now(), Seed: seed, Rand: rand.New(rand.NewPCG(seed, seed))}
}

// Acquire takes the lock and runs the events that are due; the caller must call
// the returned function, which releases the lock.
func (e *Engine) Acquire() func() {
	e.mu.Lock()
	e.catchUp()
	return e.mu.Unlock
}

// SleepUnlocked releases the lock for some time and then takes it again as Acquire does. The
// caller must hold the lock.
func (e *Engine) SleepUnlocked(d time.Duration) {
	e.mu.Unlock()
	time.Sleep(d)
	e.mu.Lock()
	e.catchUp()
}

// Now is the simulated time, up to which all events have run.
func (e *Engine) Now() time.Time { return e.now }

// ClockTime is the time of the clock, up to which the next Acquire runs events.
func (e *Engine) ClockTime() time.Time { return e.clock.now() }

// Advance advances the clock and runs the events that are then due.
func (e *Engine) Advance(d time.Duration) {
	e.clock.advance(d)
	e.Acquire()()
}

// NextVersion returns an increasing number for a write.
func (e *Engine) NextVersion() uint64 {
	e.seq++
	return e.seq
}

// NextUID returns an increasing number for a new object.
func (e *Engine) NextUID() uint64 {
	e.uids++
	return e.uids
}

// ReserveUID makes NextUID return only numbers higher than uid.
func (e *Engine) ReserveUID(uid uint64) { e.uids = max(e.uids, uid) }

// Changes increases with every write, event and new object.
func (e *Engine) Changes() uint64 {
	defer e.Acquire()()
	return e.seq + e.uids
}

// Pending is the number of events in the queue.
func (e *Engine) Pending() int { return len(e.events) }
