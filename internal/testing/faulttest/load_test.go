package faulttest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// loadFaults are equally likely and affect two percent of all requests
// together. All of them are transient: none needs a second apply.
func loadFaults() []sandbox.Fault {
	list := []sandbox.Fault{
		{Kind: sandbox.FaultReset},
		{Kind: sandbox.FaultReset, AfterEffect: true},
		{Kind: sandbox.FaultStatus, Status: 502},
		{Kind: sandbox.FaultStatus, Status: 503, RetryAfter: time.Second, AfterEffect: true},
		{Kind: sandbox.FaultStatus, Status: 429},
		{Kind: sandbox.FaultTruncated},
		{Kind: sandbox.FaultEmpty},
		{Kind: sandbox.FaultMasterFailed},
		{Kind: sandbox.FaultConflict},
		{Kind: sandbox.FaultEtcdTimeout, AfterEffect: true},
	}
	for i := range list {
		list[i].Percent = 2 / float64(len(list))
	}
	return list
}

// TestLoad creates, updates and destroys many servings on a server with latency and
// occasional faults: each apply succeeds, and no write with a response is repeated.
func TestLoad(t *testing.T) {
	t.Parallel()
	many := 12
	if runAll() {
		many = 300
	}
	of := func(model string) configuration {
		c := configuration{images: []imageSpec{{name: "app", tag: "1"}}, timeout: "8m"}
		for i := range many {
			c.servings = append(c.servings, solo(fmt.Sprintf("s-%03d", i), "app").with(func(s *servingSpec) { s.model = model }))
		}
		return c
	}
	timing := sandbox.QuickTiming()
	timing.Start = 500 * time.Millisecond // a rollout must be observable despite the latency
	b := newTestbed(t, sandbox.Options{Seed: 4, RecordLimit: 100_000, Timing: timing})
	delete(b.terraform.providerBlock, "max_retries") // the default
	for _, phase := range []struct {
		desired configuration
		write   string // one for each serving
	}{
		{of("a"), "serving/create"}, {of("b"), "serving/update"}, {configuration{}, "serving/delete"},
	} {
		b.server.ResetRequests()
		for _, f := range loadFaults() {
			b.server.Inject(f)
		}
		b.server.Inject(sandbox.Fault{Kind: sandbox.FaultLatency, Delay: 20 * time.Millisecond, Times: sandbox.Always})
		if o := b.apply(t, phase.desired); !o.ok() {
			t.Fatalf("%s: %s", phase.write, o.text())
		}
		b.server.ClearFaults()
		answered := map[string]int{}
		polls := 0
		for _, r := range b.server.Requests() {
			var body struct {
				ServingID string `json:"serving_id"`
			}
			_ = json.Unmarshal([]byte(r.Body), &body) // not every request has one
			switch op := operationOf(r); {
			case op == "serving/status/batchQuery":
				polls++
			case op == phase.write && (r.Fault == "" || r.Fault == sandbox.FaultLatency):
				answered[body.ServingID]++
			case slices.Contains([]string{"serving/create", "serving/update", "serving/delete"}, op) && op != phase.write:
				t.Errorf("unexpected %s of %s", op, body.ServingID)
			}
		}
		for id, count := range answered {
			if count > 1 {
				t.Errorf("%s of %s had %d responses", phase.write, id, count)
			}
		}
		t.Logf("%s: %d of %d answered, %d status requests", phase.write, len(answered), many, polls)
		b.checkConverges(t, phase.desired)
	}
}
