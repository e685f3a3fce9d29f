package faulttest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// runAll reports whether the full test runs (no -short).
func runAll() bool { return !testing.Short() }

// cell is one case of the matrix.
type cell struct {
	target
	fault      fault
	when       string
	nth, times int
}

func (c cell) name() string {
	return fmt.Sprintf("%s in %s/%s/%s", strings.ReplaceAll(c.path, "/", "."), c.scenario, c.fault.name, c.when)
}

// slow reports whether the cell takes a minute: the client retries a conflict
// for that long unless the time limit of a serving is shorter.
func (c cell) slow() bool {
	return c.fault.name == "conflict" && c.when == "always" && (!strings.HasPrefix(c.path, "serving/") || c.path == "serving/query")
}

// echoes reports whether the fault returns secrets: the short test runs all of these.
func (c cell) echoes() bool { return strings.HasPrefix(c.fault.name, "echo ") }

// shortMatrix is the number of other cells that the short test runs.
const shortMatrix = 40

func cells(all bool) []cell {
	var list []cell
	for _, t := range targets() {
		for _, f := range faults {
			for _, w := range callSelectors {
				c := cell{target: t, fault: f, when: w.name, nth: w.nth, times: w.times}
				if (f.stop != noStop || f.interrupts) && w.times == sandbox.Always {
					continue // same as "first call"
				}
				if c.echoes() && !strings.HasPrefix(t.path, "serving/") {
					continue // the key is a secret of servings
				}
				if !all && (t.longOnly || f.longOnly || c.slow()) {
					continue
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// sample selects cells so that every fault, every call and every time of
// injection occurs equally often.
func sample(list []cell, size int) (sample []cell) {
	taken := map[string]int{}
	for range size {
		times := func(c cell) int { return taken[c.fault.name] + taken[c.path] + taken[c.when] + 2*size*taken[c.name()] }
		next := slices.MinFunc(list, func(a, b cell) int { return times(a) - times(b) })
		for _, part := range []string{next.fault.name, next.path, next.when, next.name()} {
			taken[part]++
		}
		sample = append(sample, next)
	}
	return sample
}

// TestMatrix injects each fault into each call and checks the result of the
// apply that follows.
func TestMatrix(t *testing.T) {
	t.Parallel()
	list := cells(runAll())
	if !runAll() {
		echoes := slices.DeleteFunc(slices.Clone(list), func(c cell) bool { return !c.echoes() || c.times != sandbox.Always })
		list = append(sample(slices.DeleteFunc(list, cell.echoes), shortMatrix), echoes...)
	}
	runParallel(t, func(yield func(string, cell) bool) {
		for _, c := range list {
			if !yield(c.name(), c) {
				return
			}
		}
	}, func(t *testing.T, c cell) { c.run(t) })
}

// faultyTimeouts are the time limits of an object while a fault is injected. The first is
// short, so that failures are fast. On a busy machine it can pass before the request that
// the fault is for: a case without a hit is tried again with the next one.
var faultyTimeouts = [...]string{"3s", "9s", "27s"}

// untilHit tries a case, with the index of each time limit, until the fault has hit a
// request or the test has failed. It returns false if neither happens.
func untilHit(t *testing.T, run func(try int) (hits int)) bool {
	t.Helper()
	for try := range faultyTimeouts {
		if run(try) > 0 || t.Failed() {
			return true
		}
	}
	return false
}

// requestTimeout is the request timeout while the fault is injected. It is
// short only for timing faults: on a busy machine any response can be late.
func (f fault) requestTimeout(try int) string {
	switch f.inject.Kind {
	case sandbox.FaultTimeout, sandbox.FaultSlow:
		return []string{"400ms", "800ms", "1600ms"}[try]
	}
	return "5s"
}

// timing is the timing of the sandbox. A delayed pod start makes room for a
// third status poll, and for a rollout that is observable on a busy machine
// too.
func (c cell) timing() sandbox.Timing {
	timing := sandbox.QuickTiming()
	if c.path == "serving/status/batchQuery" && c.nth > 1 || strings.HasPrefix(c.scenario, "update ") {
		timing.Start = time.Second
	}
	return timing
}

// run retries the cell if the fault was not injected: on a busy machine a
// request timeout can end the apply before the target call. Not every scenario has a third one.
func (c cell) run(t *testing.T) {
	if !untilHit(t, func(try int) int { return c.try(t, try) }) && c.nth < 3 {
		t.Error("the fault was never injected")
	}
}

// try runs the cell once.
func (c cell) try(t *testing.T, try int) (hits int) {
	testCase := scenarios[c.scenario](max(1, c.nth))
	b := newTestbedOf(t, testCase, c.timing())
	return faultCase{
		inject: func() func() int { return c.injectFault(t, b, c.fault.requestTimeout(try)) },
		apply: func() *outcome {
			during := testCase.desired.within(faultyTimeouts[try])
			b.compareChanges(t, during)
			return b.terraform.applyChecked(t, during.resources())
		},
		differences: func() []string { return testCase.desired.differences(b.server) },
		converge: func() {
			b.configureProvider(b.server.Endpoint(), "20s")
			b.checkConverges(t, testCase.desired)
		},
		checkNoSecrets: func(text ...string) { b.checkNoSecrets(t, text...) },
		interrupts:     c.fault.interrupts,
	}.run(t)
}

// injectFault injects the fault until stopFault is called, which returns the
// number of affected requests.
func (c cell) injectFault(t *testing.T, b *testbed, requestTimeout string) (stopFault func() int) {
	t.Helper()
	if c.fault.stop == noStop {
		f := c.fault.inject
		f.Path, f.Nth, f.Times = c.path, c.nth, c.times
		b.configureProvider(b.server.Endpoint(), requestTimeout)
		return b.terraform.inject(b.server, f, c.fault.interrupts)
	}
	g := newGate(t, b.server.Handler())
	g.stop, g.path, g.nth = c.fault.stop, c.path, c.nth
	b.configureProvider(g.endpoint(), requestTimeout)
	return func() int {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.listener != nil {
			return 0
		}
		return 1
	}
}
