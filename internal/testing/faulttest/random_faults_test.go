package faulttest_test

import (
	mathrand "math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// randomFaults are faults that are injected into requests of every kind.
var randomFaults = []sandbox.Fault{
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
		g := generator{mathrand.New(mathrand.NewPCG(seed, 3))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice", Seed: seed, StaleConfig: 0.2})
		randomSequence{
			before: func(config generatedConfig) bool {
				config.clearWriteOnly()
				for range 1 + g.IntN(2) {
					b.withRandomFaults(g, func() { b.terraform.apply(config.resources()...) })
				}
				return true
			},
			last: func(generatedConfig) { b.withRandomFaults(g, func() { b.terraform.apply() }) },
		}.run(t, b, g)
	})
}

// clearWriteOnly replaces write-only values by others. If the response to a
// create with one is lost and no request succeeds after it, the provider cannot
// find out who created the object: the next apply reports that, and how to
// import the object.
func (c generatedConfig) clearWriteOnly() {
	for address, one := range c {
		one.config, _ = withoutWriteOnly(one.config).(attrs)
		c[address] = one
	}
}

func withoutWriteOnly(value any) any {
	object, is := value.(attrs)
	if !is {
		return value
	}
	out := attrs{}
	for name, one := range object {
		if !strings.HasSuffix(name, "_wo_version") {
			out[strings.TrimSuffix(name, "_wo")] = withoutWriteOnly(one)
		}
	}
	return out
}

// withRandomFaults calls do while random requests fail.
func (b *testbed) withRandomFaults(g generator, do func()) {
	for range 1 + g.IntN(3) {
		f := pick(g, randomFaults...)
		f.Percent = float64(pick(g, 2, 5, 20))
		b.server.Inject(f)
	}
	do()
	b.server.ClearFaults()
}
