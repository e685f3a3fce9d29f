package faulttest_test

import (
	"fmt"
	"maps"
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
// tfkit/crud other than app images: it runs one cell of eight.
const shortStride = 8

// isCrudResource reports whether the object of the cell runs the same code
// (tfkit/crud) as app images, of which the short test runs every cell.
func (c cell) isCrudResource() bool {
	return !strings.HasPrefix(c.path, "serving/") && !strings.HasPrefix(c.path, "appimage/")
}

// shortMatrix is the number of cells that the short test runs.
const shortMatrix = 160

func cells(all bool) []cell {
	var list []cell
	shared := 0
	for _, t := range targets {
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

// parallelCells is the number of cells that run at the same time. Cells mostly
// wait, so they are not limited to one per processor as parallel tests are.
const parallelCells = 16

// TestMatrix injects each fault into each call and checks the result of the
// apply that follows.
func TestMatrix(t *testing.T) {
	t.Parallel()
	began := time.Now()
	var sums totals
	t.Run("cells", func(t *testing.T) {
		todo := make(chan cell)
		var workers sync.WaitGroup
		for range parallelCells {
			workers.Go(func() {
				for c := range todo {
					t.Run(c.name(), func(t *testing.T) {
						sums.cells.Add(1)
						c.run(t, &sums)
					})
				}
			})
		}
		list := cells(runAll())
		if !runAll() {
			list = sample(list, shortMatrix)
		}
		for _, c := range list {
			todo <- c
		}
		close(todo)
		workers.Wait()
	})

	sums.print(t, "fault matrix", began)
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

// testbed is a sandbox server with a simulated Terraform.
type testbed struct {
	server    *sandbox.Sandbox
	terraform *terraform
}

func newTestbed(t *testing.T, options sandbox.Options) *testbed {
	t.Helper()
	options.CertsDir, options.Token = t.TempDir(), plantedToken
	if options.Domains == nil {
		options.Domains = slices.Clone(testbedDomains)
	}
	server, err := sandbox.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	b := &testbed{server: server, terraform: newTerraform(nil)}
	b.configureProvider(server.Endpoint(), "20s")
	return b
}

// configureProvider sets the provider block. It contains secrets that must not appear in
// any output.
func (b *testbed) configureProvider(endpoint, requestTimeout string) {
	b.terraform.settings = attrs{
		"endpoint": endpoint, "token": plantedToken, "request_timeout": requestTimeout, "max_retries": 2,
		"custom_headers": attrs{"tenant": plantedHeader},
	}
}

// apply applies a configuration and compares every change that the provider
// reports as done with the objects on the server.
func (b *testbed) apply(t *testing.T, c configuration) *outcome {
	t.Helper()
	b.terraform.done = func(address string, _ *object, gone bool) {
		if gone {
			if exists(b.server, address) {
				t.Errorf("%s was reported as deleted but still exists", address)
			}
			return
		}
		for _, difference := range c.objectDifferences(b.server, address) {
			t.Errorf("%s was reported as done but differs from the server: %s", address, difference)
		}
	}
	o := b.terraform.apply(c.resources()...)
	for _, p := range o.errors {
		if p.summary == providerFault {
			t.Errorf("%s: %s", p.address, p.detail)
		}
	}
	return o
}

// checkConverges applies without faults, then checks the server, an empty plan and
// an unchanged refresh.
func (b *testbed) checkConverges(t *testing.T, c configuration) {
	t.Helper()
	c = c.within("3m") // without an observed start, a rollout counts as complete only after wait.StartTimeout
	if o := b.apply(t, c); !o.ok() {
		t.Errorf("the next apply failed (%s):\n%s", o.changes(), o.text())
		return
	}
	for _, difference := range c.differences(b.server) {
		t.Errorf("after the next apply: %s", difference)
	}
	o, _ := b.terraform.plan(c.resources()...)
	if !o.ok() || o.changes() != "" || len(o.drifted) > 0 {
		t.Errorf("the plan after it is not empty: changes [%s], drift in %v\n%s", o.changes(), o.drifted, o.text())
	}
	var want []string
	for _, r := range c.resources() {
		want = append(want, r.address)
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(b.terraform.state)); !slices.Equal(got, want) {
		t.Errorf("addresses in the state: %v, want %v", got, want)
	}
	for address, object := range b.terraform.state {
		if object.tainted {
			t.Errorf("%s is still tainted", address)
		}
	}
}

// faultyTimeout is the time limit of a serving while a fault is injected. It is
// short, so that failures are fast.
const faultyTimeout = "3s"

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
func (c cell) run(t *testing.T, sums *totals) {
	for try := range 3 {
		if hits := c.try(t, sums, try); hits > 0 || t.Failed() {
			return
		}
	}
	sums.recordNotInjected(c)
}

// try runs the cell once and returns the number of affected requests.
func (c cell) try(t *testing.T, sums *totals, try int) int {
	objects := 1
	if c.nth > 1 {
		objects = c.nth
	}
	is := scenarios[c.scenario](objects)
	b := newTestbedOf(t, snapshotKey{c.scenario, objects}, c.timing())
	hits := c.injectFault(t, b, is.wants, c.fault.requestTimeout(try))
	o := b.apply(t, is.wants.within(faultyTimeout))
	struck := hits()
	sums.applies.Add(2)
	sums.hits.Add(int64(struck))
	if o.ok() {
		for _, difference := range is.wants.differences(b.server) {
			t.Errorf("the apply with the fault succeeded but differs from the server: %s", difference)
		}
	} else {
		sums.failedApplies.Add(1)
		c.checkErrorsExplain(t, o)
	}

	b.terraform.before = nil
	b.configureProvider(b.server.Endpoint(), "20s")
	b.checkConverges(t, is.wants)
	b.checkNoSecrets(t, o.text())
	if t.Failed() {
		t.Logf("%d hits; the apply with the fault planned [%s] and printed:\n%s", struck, o.changes(), o.text())
	}
	return struck
}

// injectFault injects the fault until stop is called; stop returns the number of
// affected requests.
func (c cell) injectFault(t *testing.T, b *testbed, wants configuration, requestTimeout string) (stop func() int) {
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
	g.shutAt = whenRefused(c.target, c.nth, func() bool { return b.allRun(wants) })
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
func (b *testbed) allRun(wants configuration) bool {
	return !slices.ContainsFunc(wants.servings, func(s servingSpec) bool { return b.server.PodsRun(s.id) != nil })
}

// stopServerAtCall shuts the server down at the target call, for the rest of the apply.
func (c cell) stopServerAtCall(t *testing.T, b *testbed, requestTimeout string) (stop func() int) {
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

// checkErrorsExplain checks that every error has a detail that a user can act on.
func (c cell) checkErrorsExplain(t *testing.T, o *outcome) {
	t.Helper()
	for _, p := range o.errors {
		if len(p.detail) < 20 {
			t.Errorf("the error %q has no helpful detail: %q", p.summary, p.detail)
		}
	}
}
