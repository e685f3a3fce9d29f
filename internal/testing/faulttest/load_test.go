package faulttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const (
	// loadServings is the number of servings in the load test, loadParallel the
	// parallelism of the CLI.
	loadServings = 500
	loadParallel = 50
	loadLatency  = 50 * time.Millisecond
	// loadSeed determines the affected requests.
	loadSeed = 4
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

// loadOf is the configuration of the load test; an update changes every
// serving.
func loadOf(updated bool) configuration {
	c := configuration{images: []imageSpec{{name: "app", tag: "1"}}, timeout: "10m"}
	for i := range loadServings {
		c.servings = append(c.servings, duo(fmt.Sprintf("serving-%03d", i)).with(func(s *servingSpec) {
			switch {
			case !updated:
			case i%2 == 0:
				s.parties[0].replicas = 2
			default:
				s.model = "b"
			}
		}))
	}
	return c
}

// TestAccLoad creates, updates and destroys many servings with the real CLI and
// a server with latency and occasional faults.
func TestAccLoad(t *testing.T) {
	t.Parallel()
	acctest.SkipShort(t, acctest.RareCase)
	w := newRaceCLI(t)
	w.environment = append(w.environment, "TF_LOG=") // logging would take most of the time
	timing := sandbox.QuickTiming()
	timing.Start = 500 * time.Millisecond // a rollout must be observable despite the latency
	b := newTestbed(t, sandbox.Options{Seed: loadSeed, RecordLimit: 100_000, Timing: timing})
	delete(b.terraform.providerBlock, "max_retries") // the default
	for _, phase := range []struct {
		name    string
		desired configuration
		// write is the only write request of the phase, one for each serving.
		write string
		tick  time.Duration
	}{
		{"create", loadOf(false), "serving/create", waitTick},
		{"update", loadOf(true), "serving/update", beginTick},
		{"destroy", configuration{}, "serving/delete", goneTick},
	} {
		b.server.ResetRequests()
		for _, f := range loadFaults() {
			b.server.Inject(f)
		}
		b.server.Inject(sandbox.Fault{Kind: sandbox.FaultLatency, Delay: loadLatency, Times: sandbox.Always})
		w.configure(b.terraform.providerBlock, phase.desired)
		began := time.Now()
		output, code := w.run(t, "apply", "-no-color", "-input=false", "-auto-approve", fmt.Sprintf("-parallelism=%d", loadParallel))
		took := time.Since(began)
		b.server.ClearFaults()
		if code != 0 {
			t.Errorf("%s: exit code %d:\n%s", phase.name, code, withoutLog(output))
		}
		for _, difference := range phase.desired.differences(b.server) {
			t.Errorf("after the %s: %s", phase.name, difference)
		}
		load := newLoad(b.server.Requests())
		load.once(t, phase.write)
		t.Logf("%s: %d servings in %s; %s", phase.name, loadServings, took.Round(100*time.Millisecond), load.requests())
		load.polls(t, phase.name, phase.tick)
		checkNoSecrets(t, output)

		plan, code := w.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode", fmt.Sprintf("-parallelism=%d", loadParallel))
		if code != 0 {
			t.Errorf("the plan after the %s is not empty:\n%s", phase.name, withoutLog(plan))
		}
		list, _ := w.run(t, "state", "list")
		if got, want := strings.Count(list, "kuscia_"), len(phase.desired.images)+len(phase.desired.servings); got != want {
			t.Errorf("after the %s the state has %d resources, want %d", phase.name, got, want)
		}
		if t.Failed() {
			return
		}
	}
}

// The minimum time between two status polls on a server with this latency: the
// request itself, and then the wait before a poll that confirms a state (minus
// jitter), or the duration of the request; it also applies to polls for the
// start of a rollout.
const (
	waitTick  = loadLatency + 135*time.Millisecond
	beginTick = 2 * loadLatency
	goneTick  = 2 * loadLatency
	// startLooks is the maximum number of status requests at a time for starts of
	// rollouts.
	startLooks = 4
	// loadChunk is the maximum number of ids in a status request.
	loadChunk = 200
)

// load are the requests of a phase.
type load struct {
	list   []sandbox.Request
	counts map[string]int
	hits   map[string]int
}

func newLoad(list []sandbox.Request) *load {
	l := &load{list: list, counts: map[string]int{}, hits: map[string]int{}}
	for _, r := range list {
		op := operationOf(r)
		l.counts[op]++
		if faulty(r) {
			l.hits[op]++
		}
	}
	return l
}

func operationOf(r sandbox.Request) string { return strings.TrimPrefix(r.Op, "/api/v1/") }

// faulty reports whether a request had a fault other than latency.
func faulty(r sandbox.Request) bool { return r.Fault != "" && r.Fault != sandbox.FaultLatency }

func sum(counts map[string]int) (total int) {
	for _, count := range counts {
		total += count
	}
	return total
}

func (l *load) requests() string {
	var parts []string
	for _, op := range slices.Sorted(maps.Keys(l.counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", op, l.counts[op]))
	}
	total, hits := sum(l.counts), sum(l.hits)
	return fmt.Sprintf("%d requests (%s), %d of them hit by a fault (%.1f %%)", total, strings.Join(parts, ", "), hits, 100*float64(hits)/float64(total))
}

// once checks that no serving was written twice without need: a write with a
// response is not repeated, and there are no other writes than those of the
// phase.
func (l *load) once(t *testing.T, write string) {
	t.Helper()
	if sum(l.hits) < len(l.list)/200 {
		t.Errorf("only %d of %d requests had a fault, so this proves little", sum(l.hits), len(l.list))
	}
	answered, asked := map[string]int{}, map[string]int{}
	for _, r := range l.list {
		op := operationOf(r)
		if !strings.HasPrefix(op, "serving/") || op == "serving/query" || op == "serving/status/batchQuery" {
			continue
		}
		var body struct {
			ServingID string `json:"serving_id"`
		}
		must(json.Unmarshal([]byte(r.Body), &body))
		if op != write {
			t.Errorf("unexpected %s of %s", op, body.ServingID)
		}
		asked[body.ServingID]++
		if !faulty(r) {
			answered[body.ServingID]++
		}
	}
	if len(asked) != loadServings {
		t.Errorf("%s was sent for %d servings, want %d", write, len(asked), loadServings)
	}
	for id, count := range answered {
		if count > 1 {
			t.Errorf("%s of %s had %d responses", write, id, count)
		}
	}
}

// polls checks that there is at most one status request per tick, whatever the
// number of servings. A request with a fault is repeated immediately, and after
// a lost response to a write the serving is queried.
func (l *load) polls(t *testing.T, phase string, tick time.Duration) {
	t.Helper()
	const op = "serving/status/batchQuery"
	var first, last time.Time
	ids, most := 0, 0
	for _, r := range l.list {
		if operationOf(r) != op {
			continue
		}
		var body struct {
			ServingIDs []string `json:"serving_ids"`
		}
		must(json.Unmarshal([]byte(r.Body), &body))
		ids, most = ids+len(body.ServingIDs), max(most, len(body.ServingIDs))
		if first.IsZero() {
			first = r.Time
		}
		last = r.Time
	}
	calls := l.counts[op]
	if calls == 0 {
		t.Fatalf("%s: the status was never polled", phase)
	}
	span := last.Sub(first)
	ticks := 1 + int(math.Ceil(float64(span)/float64(tick)))
	chunks := (loadParallel + loadChunk - 1) / loadChunk
	allowed := ticks*chunks + sum(l.hits)
	if phase == "update" {
		allowed += loadServings                                                    // the status before each update
		allowed += startLooks * int(math.Ceil(float64(span)/float64(loadLatency))) // those for the starts of rollouts
	}
	t.Logf("%s: %d status calls in %s, each about %.1f servings (at most %d), %d servings one by one; allowed are %d ticks of %s x %d chunk + %d requests hit by a fault = %d calls",
		phase, calls, span.Round(100*time.Millisecond), float64(ids)/float64(calls), most, ids, ticks, tick, chunks, sum(l.hits), allowed)
	if calls > allowed {
		t.Errorf("%s: %d status calls, want at most %d, one per tick", phase, calls, allowed)
	}
}
