package faulttest_test

import (
	mathrand "math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// byChance are faults that are injected into requests of every kind.
var byChance = []sandbox.Fault{
	{Kind: sandbox.FaultReset},
	{Kind: sandbox.FaultReset, AfterEffect: true},
	{Kind: sandbox.FaultStatus, Status: http.StatusInternalServerError, AfterEffect: true},
	{Kind: sandbox.FaultStatus, Status: http.StatusBadGateway, AfterEffect: true},
	{Kind: sandbox.FaultStatus, Status: http.StatusServiceUnavailable},
	{Kind: sandbox.FaultEtcdTimeout, AfterEffect: true},
	{Kind: sandbox.FaultTruncated},
	{Kind: sandbox.FaultEmpty},
	{Kind: sandbox.FaultConflict},
	{Kind: sandbox.FaultMasterFailed},
	{Kind: sandbox.FaultUnauthorized},
}

// TestRandomFaults applies random configurations, and edits of them, while any
// request may fail, and the configuration of a node is late. An apply may fail;
// the first apply without faults must converge. A failed apply must not leave
// objects behind.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 100, func(t *testing.T, seed uint64) {
		a := generator{mathrand.New(mathrand.NewPCG(seed, 3))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice", Seed: seed, StaleConfig: 0.2})
		was := b.left()
		var d generatedConfig
		for range 3 {
			before := d
			d = inClear(a.whole(before))
			for range 1 + a.IntN(2) {
				b.struck(a, func() { b.terraform.apply(d.resources()...) })
			}
			if !b.takes(t, d, before) {
				return
			}
		}
		b.struck(a, func() { b.terraform.apply() })
		if o := b.terraform.apply(); !o.ok() {
			t.Errorf("destroy: %s", o.text())
		}
		if left := b.left(); left != was {
			t.Errorf("objects on the server after destroy: %s, want those of the start: %s", left, was)
		}
	})
}

// inClear is the configuration without write-only values. If the response to a
// create with one is lost and no request succeeds after it, the provider cannot
// find out who created the object: the next apply reports that, and how to
// import the object.
func inClear(d generatedConfig) generatedConfig {
	for address, one := range d {
		one.config, _ = valueInClear(one.config).(attrs)
		d[address] = one
	}
	return d
}

func valueInClear(value any) any {
	object, is := value.(attrs)
	if !is {
		return value
	}
	out := attrs{}
	for name, one := range object {
		if !strings.HasSuffix(name, "_wo_version") {
			out[strings.TrimSuffix(name, "_wo")] = valueInClear(one)
		}
	}
	return out
}

// struck calls do while random requests fail.
func (b *testbed) struck(a generator, do func()) {
	for range 1 + a.IntN(3) {
		f := pick(a, byChance...)
		f.Percent = float64(pick(a, 2, 5, 20))
		b.server.Inject(f)
	}
	do()
	b.server.ClearFaults()
}
