package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// TestFaultChoice: a fault hits the requests that it is for, and no others. TestFaults of api/ief
// shows the effects of the kinds for any API, the matrix of testing/faulttest those of the sandbox's.
func TestFaultChoice(t *testing.T) {
	s := startSandbox(t, Options{Seed: 7})
	pattern := func(n int) (text string) {
		for range n {
			status, _ := send(t, s, http.MethodPost, server.APIPrefix+"serving/query", `{"serving_id":"one"}`)
			text += map[int]string{200: ".", 503: "x"}[status]
		}
		return text
	}
	for _, test := range []struct {
		fault faults.Fault
		want  string
	}{
		{faults.Fault{}, "x....."},
		{faults.Fault{Nth: 2, Times: 2}, ".xx..."},
		{faults.Fault{Path: "serving/update", Times: faults.Always}, "......"},
		{faults.Fault{Path: "serving/query", Contains: `"two"`, Times: faults.Always}, "......"},
	} {
		s.ClearFaults()
		test.fault.Kind = faults.Status
		s.Inject(test.fault)
		if have := pattern(6); have != test.want {
			t.Errorf("%+v hit %s, want %s", test.fault, have, test.want)
		}
	}
	s.ClearFaults()
	s.Inject(faults.Fault{Kind: faults.Status, Percent: 30})
	if hits := strings.Count(pattern(200), "x"); hits < 35 || hits > 90 {
		t.Errorf("30 percent hit %d of 200", hits)
	}
}

// TestStaleStatusFault: the status is that at the time of the injection, so often as injected.
func TestStaleStatusFault(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 1))
	s.Advance(5 * time.Second)
	s.Inject(faults.Fault{Kind: FaultStaleStatus, Times: 2})
	update(t, s, "a", party("alice", "", 2))
	s.Advance(5 * time.Second)
	for i, want := range []string{`"replicas":1,`, `"replicas":1,`, `"replicas":2,`} {
		if _, text := send(t, s, http.MethodPost, server.APIPrefix+"serving/status/batchQuery", `{"serving_ids":["a"]}`); !strings.Contains(text, want) {
			t.Errorf("status %d has no %s: %s", i, want, text)
		}
	}
}

// TestEndlessFault: the response begins as one of the API, and has at least the size.
func TestEndlessFault(t *testing.T) {
	s := startSandbox(t, Options{})
	s.Inject(faults.Fault{Kind: faults.Endless, Size: 1 << 20})
	_, text := send(t, s, http.MethodPost, server.APIPrefix+"serving/query", `{"serving_id":"one"}`)
	if !strings.HasPrefix(text, `{"status":{"code":0,`) || len(text) < 1<<20 {
		t.Errorf("%d bytes: %.100s", len(text), text)
	}
}
