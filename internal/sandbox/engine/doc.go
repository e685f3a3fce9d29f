// Package engine is the time of a played world: a clock that tests move, events
// that happen when they are due, one lock, and random numbers that repeat.
package engine
