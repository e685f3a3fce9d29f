package faulttest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// shortStride is the sampling rate of the short test for objects made by
// tfkit/crud other than app images: it runs one cell of sixteen.
const shortStride = 16

// isCrudResource reports whether the object of the cell runs the same code
// (tfkit/crud) as app images, of which the short test runs every cell.
func (c cell) isCrudResource() bool {
	return !strings.HasPrefix(c.path, "serving/") && !strings.HasPrefix(c.path, "appimage/")
}

// shortMatrix is the number of cells that the short test runs.
const shortMatrix = 40

func cells(all bool) []cell {
	var list []cell
	shared := 0
	for _, t := range targets() {
		for _, f := range faults {
			for _, w := range callSelectors {
				c := cell{target: t, fault: f, when: w.name, nth: w.nth, times: w.times}
				if f.stop != noStop && w.times == sandbox.Always {
					continue // same as "first call": the server stays down
				}
				if !all && (t.longOnly || f.longOnly || c.slow()) {
					continue
				}
				if c.isCrudResource() {
					if shared++; !all && shared%shortStride != 0 {
						continue
					}
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// totals are the counters that the matrix prints.
type totals struct {
	cells, applies, failedApplies, hits atomic.Int64

	mu sync.Mutex
	// notInjected are the cells whose fault was never injected.
	notInjected []string
}

// TestMatrix injects each fault into each call and checks the result of the
// apply that follows.
func TestMatrix(t *testing.T) {
	t.Parallel()
	list := cells(runAll())
	if !runAll() {
		list = sample(list, shortMatrix)
	}
	runMatrix(t, "fault matrix", parallelCells, list, cell.run)
}

// runMatrix runs cells, a number of them at the same time, and prints the
// totals.
func runMatrix(t *testing.T, name string, workers int, list []cell, run func(c cell, t *testing.T, counters *totals)) {
	t.Helper()
	began := time.Now()
	var counters totals
	t.Run("cells", func(t *testing.T) {
		named := func(yield func(string, cell) bool) {
			for _, c := range list {
				if !yield(c.name(), c) {
					return
				}
			}
		}
		runParallel(t, workers, named, func(t *testing.T, c cell) {
			counters.cells.Add(1)
			run(c, t, &counters)
		})
	})
	counters.print(t, name, began)
}

// record counts the two applies of a faultCase.
func (s *totals) record(hits int, ok bool) {
	s.applies.Add(2)
	s.hits.Add(int64(hits))
	if !ok {
		s.failedApplies.Add(1)
	}
}

// recordNotInjected records a cell whose fault was never injected.
func (s *totals) recordNotInjected(c cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notInjected = append(s.notInjected, c.name())
}

// print prints the totals. A cell whose fault was never injected tests nothing
// and fails, except in the column "third call": not every scenario has one.
func (s *totals) print(t *testing.T, what string, began time.Time) {
	t.Helper()
	slices.Sort(s.notInjected)
	t.Logf("%s: %d cells, %d applies (%d failed because of a fault), %d requests hit, %d cells without an injected fault, in %s",
		what, s.cells.Load(), s.applies.Load(), s.failedApplies.Load(), s.hits.Load(), len(s.notInjected), time.Since(began).Round(time.Second))
	for _, name := range s.notInjected {
		if strings.HasSuffix(name, "/third call") {
			t.Logf("fault not injected: %s", name)
		} else {
			t.Errorf("the fault of %s was never injected, so the cell tests nothing", name)
		}
	}
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
// request timeout can end the apply before the target call.
func (c cell) run(t *testing.T, counters *totals) {
	hit := untilHit(t, func(try int) int {
		hits, ok := c.try(t, try)
		counters.record(hits, ok)
		return hits
	})
	if !hit {
		counters.recordNotInjected(c)
	}
}

// try runs the cell once.
func (c cell) try(t *testing.T, try int) (hits int, ok bool) {
	objects := max(1, c.nth)
	testCase := scenarios[c.scenario](objects)
	b := newTestbedOf(t, snapshotKey{c.scenario, objects}, c.timing())
	return faultCase{
		inject: func() func() int { return c.injectFault(t, b, testCase.desired, c.fault.requestTimeout(try)) },
		apply: func() (bool, string) {
			during := testCase.desired.within(faultyTimeouts[try])
			b.compareChanges(t, during)
			return b.terraform.applyDuringFault(t, during.resources())
		},
		differences: func() []string { return testCase.desired.differences(b.server) },
		converge: func() {
			b.terraform.before = nil
			b.configureProvider(b.server.Endpoint(), "20s")
			b.checkConverges(t, testCase.desired)
		},
		checkNoSecrets: func(text string) { b.checkNoSecrets(t, text) },
	}.run(t)
}

// injectFault injects the fault until stopFault is called, which returns the
// number of affected requests.
func (c cell) injectFault(t *testing.T, b *testbed, desired configuration, requestTimeout string) (stopFault func() int) {
	t.Helper()
	if c.fault.stop != noStop {
		return c.stopServerAtCall(t, b, requestTimeout)
	}
	if !c.fault.refused {
		f := c.fault.inject
		f.Path, f.Nth, f.Times = c.path, c.nth, c.times
		b.server.Inject(f)
		b.configureProvider(b.server.Endpoint(), requestTimeout)
		return func() int {
			hits := b.server.FaultHits()
			b.server.ClearFaults()
			return hits
		}
	}

	g := newGate(t, b.server.Handler())
	b.configureProvider(g.endpoint(), requestTimeout)
	b.terraform.before = g.announced
	g.mu.Lock()
	g.shutAt = whenRefused(c.target, c.nth, func() bool { return b.allRun(desired) })
	g.mu.Unlock()
	var refused atomic.Int64
	b.terraform.log.watch(func(line string) {
		if strings.Contains(line, "connection refused") && strings.Contains(line, `"operation":"`+c.path+`"`) {
			refused.Add(1)
			if c.times != sandbox.Always {
				g.open()
			}
		}
	})
	return func() int {
		b.terraform.log.watch(nil)
		g.open()
		return int(refused.Load())
	}
}

// allRun reports whether the pods of all servings of a configuration run.
func (b *testbed) allRun(desired configuration) bool {
	return !slices.ContainsFunc(desired.servings, func(s servingSpec) bool { return b.server.PodsRun(s.id) != nil })
}

// stopServerAtCall shuts the server down at the target call, for the rest of the apply.
func (c cell) stopServerAtCall(t *testing.T, b *testbed, requestTimeout string) (stopFault func() int) {
	t.Helper()
	g := newGate(t, b.server.Handler())
	g.stop, g.shutAt = c.fault.stop, rule{path: c.path, nth: c.nth}
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
