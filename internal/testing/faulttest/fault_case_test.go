package faulttest_test

import "testing"

// faultCase is a case of a matrix: an apply during a fault, on any server and
// with any CLI.
type faultCase struct {
	// inject injects the fault until stopFault is called, which returns the
	// number of affected requests.
	inject func() (stopFault func() int)
	// apply applies the desired configuration; text is what the user sees.
	apply func() (ok bool, text string)
	// differences lists where the server differs from that configuration.
	differences func() []string
	// converge applies it without the fault, and checks the result.
	converge func()
	// checkNoSecrets searches the planted secrets in what the user sees; nil if
	// the server has none.
	checkNoSecrets func(text string)
}

// run applies during the fault and after it. What the first apply reports as
// done is on the server, and the second one converges. It returns the number of
// affected requests, and whether the first apply succeeded.
func (c faultCase) run(t *testing.T) (hits int, ok bool) {
	t.Helper()
	stopFault := c.inject()
	ok, text := c.apply()
	hits = stopFault()
	if ok {
		for _, difference := range c.differences() {
			t.Errorf("the apply with the fault succeeded but differs from the server: %s", difference)
		}
	}
	c.converge()
	if c.checkNoSecrets != nil {
		c.checkNoSecrets(text)
	}
	if t.Failed() {
		t.Logf("%d hits; the apply with the fault printed:\n%s", hits, text)
	}
	return hits, ok
}
