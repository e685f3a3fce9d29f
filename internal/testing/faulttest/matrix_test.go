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

// long reports whether all tests are desired.
func long() bool { return !testing.Short() }

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

// slow cells wait for the minute for which the client repeats a conflict, where
// no time limit of a serving ends it.
func (c cell) slow() bool {
	return c.fault.name == "conflict" && c.when == "always" && (!strings.HasPrefix(c.path, "serving/") || c.path == "serving/query")
}

// sampleOf is how many cells of objects that share the code of app images stand
// for one in the short tests.
const sampleOf = 8

// sharesCode reports whether the object of a cell is made by tfkit/crud as app
// images are, of which the short tests have every cell.
func (c cell) sharesCode() bool {
	return !strings.HasPrefix(c.path, "serving/") && !strings.HasPrefix(c.path, "appimage/")
}

// shortMatrix is how many cells the short test runs in this process.
const shortMatrix = 160

func cells(all bool) []cell {
	var list []cell
	shared := 0
	for _, t := range targets {
		for _, f := range faults {
			for _, w := range whens {
				c := cell{target: t, fault: f, when: w.name, nth: w.nth, times: w.times}
				if f.leaves != stays && w.times == sandbox.Always {
					continue // as the first call: it does not come back
				}
				if !all && (t.long || f.long || c.slow()) {
					continue
				}
				if c.sharesCode() {
					if shared++; !all && shared%sampleOf != 0 {
						continue
					}
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// totals are what the matrix prints.
type totals struct {
	cells, applies, failedApplies, hits atomic.Int64

	mu sync.Mutex
	// unhit are the cells whose fault never struck.
	unhit []string
}

// parallelCells is how many cells run at once. They mostly wait, so they are
// not counted among the parallel tests, of which there are as many as
// processors.
const parallelCells = 16

// TestMatrix strikes each call with each fault and looks at what one more apply
// makes of it.
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
		list := cells(long())
		if !long() {
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

// miss notes a cell whose fault never struck.
func (s *totals) miss(c cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unhit = append(s.unhit, c.name())
}

// print prints the totals. A cell whose fault never struck shows nothing; only
// of a third call there may be none.
func (s *totals) print(t *testing.T, what string, began time.Time) {
	t.Helper()
	slices.Sort(s.unhit)
	t.Logf("%s: %d cells, %d applies (%d failed because of a fault), %d requests hit, %d cells whose fault never struck, in %s",
		what, s.cells.Load(), s.applies.Load(), s.failedApplies.Load(), s.hits.Load(), len(s.unhit), time.Since(began).Round(time.Second))
	for _, name := range s.unhit {
		if strings.HasSuffix(name, "/third call") {
			t.Logf("never struck: %s", name)
		} else {
			t.Errorf("the fault of %s never struck, so the cell shows nothing", name)
		}
	}
}

// testbed is a server with a Terraform of its own.
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
	b.patience(server.Endpoint(), "20s")
	return b
}

// patience configures the provider. The secrets in its block must not come out
// anywhere.
func (b *testbed) patience(endpoint, requestTimeout string) {
	b.terraform.settings = attrs{
		"endpoint": endpoint, "token": plantedToken, "request_timeout": requestTimeout, "max_retries": 2,
		"custom_headers": attrs{"tenant": plantedHeader},
	}
}

// apply applies a configuration, and holds every change that is reported as
// done to what the server then has.
func (b *testbed) apply(t *testing.T, c configuration) *outcome {
	t.Helper()
	b.terraform.done = func(address string, _ *object, gone bool) {
		if gone {
			if exists(b.server, address) {
				t.Errorf("the deletion of %s was reported as done and it is there", address)
			}
			return
		}
		for _, difference := range c.objectDifferences(b.server, address) {
			t.Errorf("%s was reported as done: %s", address, difference)
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

// converges applies a configuration without faults and looks at everything:
// the apply works, the server has exactly what is desired, and the next plan
// finds that the state says so.
func (b *testbed) converges(t *testing.T, c configuration) {
	t.Helper()
	c = c.within("3m") // a rollout that nobody saw takes wait.BeginTime to believe
	if o := b.apply(t, c); !o.ok() {
		t.Errorf("the next apply failed (%s):\n%s", o.changes(), o.text())
		return
	}
	for _, difference := range c.differences(b.server) {
		t.Errorf("after the next apply: %s", difference)
	}
	o, _ := b.terraform.plan(c.resources()...)
	if !o.ok() || o.changes() != "" || len(o.drifted) > 0 {
		t.Errorf("the plan after it is not empty: changes [%s], the state differs from the server in %v\n%s", o.changes(), o.drifted, o.text())
	}
	var want []string
	for _, r := range c.resources() {
		want = append(want, r.address)
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(b.terraform.state)); !slices.Equal(got, want) {
		t.Errorf("the state has %v, want %v", got, want)
	}
	for address, object := range b.terraform.state {
		if object.tainted {
			t.Errorf("%s is still tainted", address)
		}
	}
}

// faultyTimeout is the time limit of a serving while a fault strikes: so short
// that what fails does so soon.
const faultyTimeout = "3s"

// requestTimeout is that of a request while the fault strikes. It is short only
// where the fault is about time: on a busy machine any answer can be late.
func (f fault) requestTimeout(try int) string {
	switch f.inject.Kind {
	case sandbox.FaultTimeout, sandbox.FaultSlow:
		return []string{"400ms", "800ms", "1600ms"}[try]
	}
	return "5s"
}

// timing is the sandbox's; pods that start late make for a third look at the
// status, and for a rollout that can be seen however busy the machine is.
func (c cell) timing() sandbox.Timing {
	timing := sandbox.QuickTiming()
	if c.path == "serving/status/batchQuery" && c.nth > 1 || strings.HasPrefix(c.scenario, "update ") {
		timing.Start = time.Second
	}
	return timing
}

// run tries the cell again when the fault did not strike: on a busy machine the
// time limits of a request can end the apply before its call.
func (c cell) run(t *testing.T, sums *totals) {
	for try := range 3 {
		if struck := c.try(t, sums, try); struck > 0 || t.Failed() {
			return
		}
	}
	sums.miss(c)
}

// try runs the cell and says how many requests were hit.
func (c cell) try(t *testing.T, sums *totals, try int) int {
	objects := 1
	if c.nth > 1 {
		objects = c.nth
	}
	is := scenarios[c.scenario](objects)
	b := newTestbedOf(t, snapshotKey{c.scenario, objects}, c.timing())
	hits := c.strike(t, b, is.wants, c.fault.requestTimeout(try))
	o := b.apply(t, is.wants.within(faultyTimeout))
	struck := hits()
	sums.applies.Add(2)
	sums.hits.Add(int64(struck))
	if o.ok() {
		for _, difference := range is.wants.differences(b.server) {
			t.Errorf("the apply with the fault was reported as done: %s", difference)
		}
	} else {
		sums.failedApplies.Add(1)
		c.explains(t, o)
	}

	b.terraform.before = nil
	b.patience(b.server.Endpoint(), "20s")
	b.converges(t, is.wants)
	b.noSecrets(t, o.text())
	if t.Failed() {
		t.Logf("%d hits; the apply with the fault planned [%s] and said:\n%s", struck, o.changes(), o.text())
	}
	return struck
}

// strike lets the fault strike from now on. The function that it returns ends
// that and says how often it struck.
func (c cell) strike(t *testing.T, b *testbed, wants configuration, requestTimeout string) func() int {
	t.Helper()
	if c.fault.leaves != stays {
		return c.leave(t, b, requestTimeout)
	}
	if !c.fault.refused {
		f := c.fault.inject
		f.Path, f.Nth, f.Times = c.path, c.nth, c.times
		b.server.Inject(f)
		b.patience(b.server.Endpoint(), requestTimeout)
		return func() int {
			hits := b.server.FaultHits()
			b.server.ClearFaults()
			return hits
		}
	}

	g := newGate(t, b.server.Handler())
	b.patience(g.endpoint(), requestTimeout)
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

// leave lets the server go away at the call, for the rest of the apply.
func (c cell) leave(t *testing.T, b *testbed, requestTimeout string) func() int {
	t.Helper()
	g := newGate(t, b.server.Handler())
	g.leave, g.shutAt = c.fault.leaves, rule{path: c.path, nth: c.nth}
	b.patience(g.endpoint(), requestTimeout)
	return func() int {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.listener != nil {
			return 0
		}
		return 1
	}
}

// explains looks whether the errors say something about the fault that a user
// can act on.
func (c cell) explains(t *testing.T, o *outcome) {
	t.Helper()
	for _, p := range o.errors {
		if len(p.detail) < 20 {
			t.Errorf("the error %q does not explain itself: %q", p.summary, p.detail)
		}
	}
}
