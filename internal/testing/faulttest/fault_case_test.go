package faulttest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// faultCase is a case of a matrix: an apply during a fault, on any server.
type faultCase struct {
	// inject injects the fault until stopFault is called, which returns the
	// number of affected requests.
	inject func() (stopFault func() int)
	// apply applies the desired configuration.
	apply func() *outcome
	// differences lists where the server differs from that configuration.
	differences func() []string
	// converge applies it without the fault, and checks the result.
	converge func()
	// checkNoSecrets searches the planted secrets in what the user sees; nil if
	// the server has none.
	checkNoSecrets func(text ...string)
	// interrupts is set if Ctrl-C is pressed: an apply without errors may not have begun.
	interrupts bool
}

// run applies during the fault and after it. What the first apply reports as
// done is on the server, and the second one converges. It returns the number of
// affected requests.
func (c faultCase) run(t *testing.T) (hits int) {
	t.Helper()
	stopFault := c.inject()
	o := c.apply()
	hits = stopFault()
	if o.ok() && !c.interrupts {
		for _, difference := range c.differences() {
			t.Errorf("the apply with the fault succeeded but differs from the server: %s", difference)
		}
	}
	if c.interrupts {
		o.checkCancelled(t)
	}
	c.converge()
	if c.checkNoSecrets != nil {
		c.checkNoSecrets(o.text())
	}
	if t.Failed() {
		t.Logf("%d hits; the apply with the fault had [%s]\n%s", hits, o.changes(), o.text())
	}
	return hits
}

// faultyServer is a simulated server.
type faultyServer interface {
	Inject(f sandbox.Fault)
	FaultHits() int
	ClearFaults()
}

// inject injects a fault, and presses Ctrl-C when it hits a request, if wanted. stopFault
// returns the number of affected requests.
func (t *terraform) inject(server faultyServer, f sandbox.Fault, interrupts bool) (stopFault func() int) {
	server.Inject(f)
	end := func() {}
	if interrupts {
		end = t.stopWhen(func() bool { return server.FaultHits() > 0 })
	}
	return func() int {
		end()
		hits := server.FaultHits()
		server.ClearFaults()
		return hits
	}
}

// checkCancelled checks the errors of an interrupted apply: they say that it was cancelled. As nothing is known to be wrong, they
// say nothing of time limits, causes and remedies.
func (o *outcome) checkCancelled(t *testing.T) {
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
