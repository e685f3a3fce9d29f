package sandbox

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

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

// TestFaultChoice: a fault hits the requests that it is for, and no others. The matrix of
// testing/faulttest has the effects of each kind.
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
