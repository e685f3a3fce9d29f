package engine

import (
	"math/rand/v2"
	"sync"
	"time"
)

// Engine is the time of a played world, what happens in it and when, and its
// lock. Nothing runs between requests: whoever enters lets everything happen
// that is due.
type Engine struct {
	mu     sync.Mutex
	clock  *clock
	now    time.Time // the time up to which everything has happened
	events eventQueue
	seq    uint64
	uids   uint64
	// Seed is what makes the random numbers repeatable, Rand where they come
	// from.
	Seed uint64
	Rand *rand.Rand
}

// New starts the time; a frozen clock is moved by Advance alone. Seed 0
// picks one.
func New(frozen bool, seed uint64) *Engine {
	if seed == 0 {
		seed = rand.Uint64()
	}
	c := newClock(frozen)
	return &Engine{clock: c, now: c.now(), Seed: seed, Rand: rand.New(rand.NewPCG(seed, seed))}
}

// Enter takes the lock and catches up; the caller must call the returned
// function when done.
func (e *Engine) Enter() func() {
	e.mu.Lock()
	e.catchUp()
	return e.mu.Unlock
}

// Leave lets others enter for some time and then enters again. It is called by
// who has entered.
func (e *Engine) Leave(d time.Duration) {
	e.mu.Unlock()
	time.Sleep(d)
	e.mu.Lock()
	e.catchUp()
}

// Now is the time up to which everything has happened.
func (e *Engine) Now() time.Time { return e.now }

// ClockTime is the time that the clock shows, up to which the next who enters
// lets things happen.
func (e *Engine) ClockTime() time.Time { return e.clock.now() }

// Advance moves the clock ahead: what is due by then happens.
func (e *Engine) Advance(d time.Duration) {
	e.clock.advance(d)
	e.Enter()()
}

// NextVersion is a number for a write, higher than all before.
func (e *Engine) NextVersion() uint64 {
	e.seq++
	return e.seq
}

// NextUID is a number for a new object, higher than all before.
func (e *Engine) NextUID() uint64 {
	e.uids++
	return e.uids
}

// KeepUID lets NextUID give none up to uid again.
func (e *Engine) KeepUID(uid uint64) { e.uids = max(e.uids, uid) }

// Changes grows with everything that happens.
func (e *Engine) Changes() uint64 {
	defer e.Enter()()
	return e.seq + e.uids
}

// Pending is how many events are still to come.
func (e *Engine) Pending() int { return len(e.events) }
