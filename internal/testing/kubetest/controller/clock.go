// Package controller has what the controllers of the tests share: a queue that
// can be stopped, caches of objects, and a clock that can run fast.
package controller

import (
	"sync/atomic"
	"time"
)

// Clock scales the recorded durations by a factor.
type Clock struct{ perMille atomic.Int64 }

// NewClock returns a clock with a factor; with 0 nothing takes any time.
func NewClock(factor float64) *Clock {
	c := &Clock{}
	c.Set(factor)
	return c
}

// Set changes the factor for what begins from now on.
func (c *Clock) Set(factor float64) { c.perMille.Store(int64(factor * 1000)) }

// Factor is the factor of durations.
func (c *Clock) Factor() float64 { return float64(c.perMille.Load()) / 1000 }

// Scaled returns a duration times the factor.
func (c *Clock) Scaled(d time.Duration) time.Duration {
	return d / 1000 * time.Duration(c.perMille.Load())
}
