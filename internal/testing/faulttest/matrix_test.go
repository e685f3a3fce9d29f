package faulttest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// cell is one case of the matrix.
type cell struct {
	target
	fault      fault
	when       string
	nth, times int
}

func (c cell) name() string {
	return fmt.Sprintf("%s in %s/%s/%s", strings.ReplaceAll(c.method+c.path, "/", "."), c.scenario, c.fault.name, c.when)
}

// impossible reports whether there is no such cell, or another one is the same.
func (c cell) impossible() bool {
	always, servings := c.times == sandbox.Always, strings.HasPrefix(c.path, "serving/")
	switch {
	case c.fault.on != "" && c.fault.on != c.api, c.single && c.nth > 1:
		return true
	case always && (c.fault.stop != noStop || c.fault.interrupts || c.fault.reads), c.reads() && c.fault.inject.AfterEffect:
		return true
	case c.fault.reads:
		return !c.reads() || strings.HasPrefix(c.scenario, "create ")
	case c.fault.echoes: // the key is a secret of servings
		return !servings
	case c.fault.name == "conflict" && always: // a minute, unless the time limit of a serving is shorter: one other call stands for all
		return c.path == "serving/query" || !servings && c.path != "appimage/update"
	}
	return false
}

// traits are what a cell has in common with others: its row, its fault and what it is paired with.
func (c cell) traits() (row, fault string, others []string) {
	_, kind, _ := strings.Cut(c.scenario, " ")
	call := c.api + " " + c.method
	if c.api == "kuscia" && strings.HasPrefix(c.path, "serving/") {
		call = c.path
	} else if c.api == "kuscia" {
		_, call, _ = strings.Cut(c.path, "/")
	}
	return c.method + c.path + c.scenario, c.fault.name, []string{c.when, kind, call}
}

// cells are the cells of the test: those with every row, and with every fault at each time, in each
// kind and in each call; with -short those with every row, fault, time, kind and call.
func cells() (list []cell) {
	var all []cell
	for _, t := range targets() {
		for _, f := range columns {
			for _, w := range callSelectors {
				if c := (cell{t, f, w.name, w.nth, w.times}); !c.impossible() && (!testing.Short() || !f.longOnly) {
					all = append(all, c)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same in each run
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	had := map[[2]string]bool{}
	for _, c := range all {
		row, fault, others := c.traits()
		pairs := [][2]string{{row}, {fault}}
		for _, other := range others {
			if testing.Short() {
				fault = ""
			}
			pairs = append(pairs, [2]string{fault, other})
		}
		fresh := false
		for _, pair := range pairs {
			fresh = fresh || !had[pair]
			had[pair] = true
		}
		if fresh {
			list = append(list, c)
		}
	}
	return list
}

// TestMatrix injects each fault into each call and checks the result of the
// apply that follows.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, c := range cells() {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// faultyTimeouts are the time limits of an object while a fault is injected. The first is
// short, so that failures are fast. On a busy machine it can pass before the request that
// the fault is for: a case without a hit is tried again with the next one.
var faultyTimeouts = [...]string{"3s", "9s", "27s"}

// requestTimeout is the request timeout while the fault is injected. It is
// short only for timing faults: on a busy machine any response can be late.
func (f fault) requestTimeout(try int) string {
	switch f.inject.Kind {
	case sandbox.FaultTimeout, sandbox.FaultSlow:
		return []string{"400ms", "800ms", "1600ms"}[try]
	}
	return "5s"
}

// start is how long pods take to start. A delayed start makes room for a third
// status poll, and for a rollout that is observable on a busy machine too.
func (c cell) start() time.Duration {
	if c.path == "serving/status/batchQuery" && c.nth > 1 || strings.HasPrefix(c.scenario, "update ") {
		return time.Second
	}
	return 0
}

// run tries the cell until the fault has hit a request. Not every scenario has a third one, and not
// every object was read before.
func (c cell) run(t *testing.T) {
	for try := range faultyTimeouts {
		if c.try(t, try) > 0 || t.Failed() {
			return
		}
	}
	if c.nth < 3 && !c.fault.reads {
		t.Error("the fault was never injected")
	}
}

// try runs the cell once: it applies during the fault and after it. What the first apply reports as
// done is on the server, and the second one converges.
func (c cell) try(t *testing.T, try int) (hits int) {
	testCase := scenarios[c.scenario](max(1, c.nth))
	b := newTestbedOf(t, testCase, c.start())
	stopFault := c.injectFault(t, b, c.fault.requestTimeout(try))
	limit := faultyTimeouts[try]
	if c.fault.interrupts {
		limit = "1m"
	}
	o := b.apply(t, testCase.desired.within(limit))
	hits = stopFault()
	switch {
	case c.fault.interrupts: // an apply without errors may not have begun
		o.checkCanceled(t)
	case o.ok():
		for _, difference := range testCase.desired.differences(b) {
			t.Errorf("the apply with the fault succeeded but differs from the server: %s", difference)
		}
	}
	b.configureProvider(b.endpoint, "20s")
	b.checkConverges(t, testCase.desired)
	b.checkNoSecrets(t, o.text())
	if b.cluster != nil { // others use it too
		b.checkConverges(t, configuration{})
	}
	if t.Failed() {
		t.Logf("%d hits; the apply with the fault had [%s]\n%s", hits, o.changes(), o.text())
	}
	return hits
}

// injectFault injects the fault until stopFault is called, which returns the
// number of affected requests.
func (c cell) injectFault(t *testing.T, b *testbed, requestTimeout string) (stopFault func() int) {
	t.Helper()
	path := strings.ReplaceAll(c.path, "NAME", b.name)
	if c.fault.stop == noStop {
		f := c.fault.inject
		f.Method, f.Path, f.Nth, f.Times = c.method, path, c.nth, c.times
		b.configureProvider(b.endpoint, requestTimeout)
		return b.inject(f, c.fault.interrupts)
	}
	g := newGate(t, b.handler)
	g.stop, g.method, g.path, g.nth = c.fault.stop, c.method, path, c.nth
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

// checkCanceled checks the errors of an interrupted apply: they say that it was canceled. As nothing is known to be wrong, they
// say nothing of time limits, causes and remedies.
func (o *outcome) checkCanceled(t *testing.T) {
	t.Helper()
	for _, p := range o.errors {
		if !strings.Contains(p.summary+p.detail, "cancel") {
			t.Errorf("%s: an interrupted apply says %s: %s", p.address, p.summary, p.detail)
		}
		for _, wrong := range []string{"time limit", "timeout", "within", "Check ", "check that", "finalizers", "(for ", "not ready"} {
			if strings.Contains(p.summary+p.detail, wrong) {
				t.Errorf("%s: an interrupted apply says %q: %s: %s", p.address, wrong, p.summary, p.detail)
			}
		}
	}
}
