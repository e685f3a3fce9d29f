package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// post sends JSON on a new connection.
func post(s *Sandbox, path, body string, timeout time.Duration) (*http.Response, []byte, error) {
	client := &http.Client{
		Timeout:       timeout,
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Post(s.Endpoint()+path, "application/json", strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}

const updateBody = `{"serving_id":"a","serving_input_config":"changed"}`

// outcome is the outcome of an update with a fault.
type outcome struct {
	response *http.Response
	body     []byte
	err      error
	took     time.Duration
	changed  bool // the update took effect
}

func faultyUpdate(t *testing.T, fault faults.Fault, timeout time.Duration) outcome {
	t.Helper()
	s := startSandbox(t, Options{})
	putImages(t, s, fixtureImages(t))
	put(t, s, "a", party("alice", imageV1, 1))
	fault.Path = "serving/update"
	s.Inject(fault)
	started := time.Now()
	o := outcome{}
	o.response, o.body, o.err = post(s, server.APIPrefix+"serving/update", updateBody, timeout)
	o.took = time.Since(started)
	spec, err := s.Serving("a")
	must(t, err)
	o.changed = spec.InputConfig == "changed"
	if s.FaultHits() != 1 {
		t.Errorf("%d hits", s.FaultHits())
	}
	if list := s.Requests(); len(list) != 1 || list[0].Fault != fault.Kind {
		t.Errorf("recorded %+v", list)
	}
	return o
}

func (o outcome) status() int {
	if o.response == nil {
		return 0
	}
	return o.response.StatusCode
}

func (o outcome) code() int32 {
	var envelope struct {
		Status kuscia.Status `json:"status"`
	}
	if json.Unmarshal(o.body, &envelope) != nil {
		return -1
	}
	return envelope.Status.Code
}

func TestFaults(t *testing.T) {
	isReset := func(o outcome) bool { return errors.Is(o.err, syscall.ECONNRESET) || errors.Is(o.err, io.EOF) }
	isTimeout := func(o outcome) bool {
		var timeout net.Error
		return errors.As(o.err, &timeout) && timeout.Timeout()
	}
	right := func(o outcome) bool { return o.status() == 200 && o.err == nil && o.code() == 0 }
	for name, test := range map[string]struct {
		fault   faults.Fault
		changed bool
		check   func(outcome) bool
	}{
		"latency":        {faults.Fault{Kind: faults.Latency, Delay: 60 * time.Millisecond}, true, func(o outcome) bool { return right(o) && o.took >= 60*time.Millisecond }},
		"reset before":   {faults.Fault{Kind: faults.Reset}, false, isReset},
		"reset after":    {faults.Fault{Kind: faults.Reset, AfterEffect: true}, true, isReset},
		"timeout before": {faults.Fault{Kind: faults.Timeout}, false, isTimeout},
		"503": {faults.Fault{Kind: faults.Status, RetryAfter: 1500 * time.Millisecond}, false, func(o outcome) bool {
			return o.status() == 503 && o.response.Header.Get("Retry-After") == "2"
		}},
		"401":           {faults.Fault{Kind: faults.Unauthorized}, false, func(o outcome) bool { return o.status() == 401 && len(o.body) == 0 }},
		"empty":         {faults.Fault{Kind: faults.Empty}, true, func(o outcome) bool { return o.status() == 200 && len(o.body) == 0 }},
		"code after":    {faults.Fault{Kind: faults.Code, Code: 4711, AfterEffect: true}, true, func(o outcome) bool { return o.code() == 4711 }},
		"master failed": {faults.Fault{Kind: FaultMasterFailed}, false, func(o outcome) bool { return o.code() == 11103 }},
		"conflict": {faults.Fault{Kind: FaultConflict}, false, func(o outcome) bool {
			return o.code() == 11603 && bytes.Contains(o.body, []byte(`\"a\": the object has been modified`))
		}},
		"panic": {faults.Fault{Kind: FaultPanic}, false, func(o outcome) bool {
			return o.code() == 11101 && bytes.Contains(o.body, []byte("doBizProcess panic"))
		}},
		"endless":  {faults.Fault{Kind: faults.Endless, Size: 3 << 20}, false, func(o outcome) bool { return o.err == nil && len(o.body) > 3<<20 && json.Valid(o.body) }},
		"redirect": {faults.Fault{Kind: faults.Redirect, Location: "http://127.0.0.1:1/"}, false, func(o outcome) bool { return o.status() == 307 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if strings.HasPrefix(name, "timeout ") {
				timeout = 300 * time.Millisecond
			}
			o := faultyUpdate(t, test.fault, timeout)
			if o.changed != test.changed {
				t.Errorf("took effect: %t", o.changed)
			}
			if !test.check(o) {
				t.Errorf("status %d, body %.200q, error %v, took %s", o.status(), o.body, o.err, o.took)
			}
		})
	}
}

func TestFaultChoice(t *testing.T) {
	s := startSandbox(t, Options{Seed: 7})
	pattern := func(n int) (text string) {
		for range n {
			response, _, err := post(s, server.APIPrefix+"serving/query", `{"serving_id":"one"}`, time.Minute)
			must(t, err)
			text += map[int]string{200: ".", 503: "x"}[response.StatusCode]
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

func TestStaleStatusFault(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 1))
	s.Advance(5 * time.Second)
	s.Inject(faults.Fault{Kind: FaultStaleStatus, Times: 2})
	update(t, s, "a", party("alice", "", 2))
	s.Advance(5 * time.Second)
	replicas := func() string {
		_, body, err := post(s, server.APIPrefix+"serving/status/batchQuery", `{"serving_ids":["a"]}`, time.Minute)
		must(t, err)
		_, after, _ := strings.Cut(string(body), `"replicas":`)
		return after[:1]
	}
	if have := replicas() + replicas() + replicas(); have != "112" {
		t.Errorf("replicas %s", have)
	}
}
