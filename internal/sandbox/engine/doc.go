// Package engine is a discrete-event simulation: a clock that tests can advance,
// events that run when they are due, one lock, and seeded random numbers.
package engine
