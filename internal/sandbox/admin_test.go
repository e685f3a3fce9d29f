package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// send sends a request over the network.
func send(t *testing.T, s *Sandbox, method, path, body string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.Endpoint()+path, strings.NewReader(body))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(content)
}

func TestAdminEndpoint(t *testing.T) {
	s := startSandbox(t, Options{})
	status, text := send(t, s, http.MethodPost, adminPrefix+"faults", `{"kind":"status","status":502,"path":"serving/query","times":-1,"delay":"1.5s","retry_after":"2s"}`)
	if status != http.StatusNoContent {
		t.Fatalf("inject: %d %s", status, text)
	}
	if list := s.Faults(); len(list) != 1 || list[0].Delay != 1500*time.Millisecond || list[0].RetryAfter != 2*time.Second || list[0].Times != faults.Always {
		t.Errorf("faults %+v", list)
	}
	if _, text := send(t, s, http.MethodGet, adminPrefix+"faults", ""); !strings.Contains(text, `"delay":"1.5s"`) || !strings.Contains(text, `"retry_after":"2s"`) {
		t.Errorf("listed as %s", text)
	}
	if status, _ := send(t, s, http.MethodPost, server.APIPrefix+"serving/query", `{"serving_id":"x"}`); status != http.StatusBadGateway {
		t.Errorf("the fault was not injected: %d", status)
	}
	_, text = send(t, s, http.MethodGet, adminPrefix+"requests", "")
	var requests []faults.Request
	must(t, json.Unmarshal([]byte(text), &requests))
	if len(requests) != 1 || requests[0].Body != `{"serving_id":"x"}` || requests[0].HTTPStatus != 502 || requests[0].Fault != faults.Status {
		t.Errorf("requests %s", text)
	}
	if _, text := send(t, s, http.MethodGet, adminPrefix+"counts", ""); text != "{\"/api/v1/serving/query\":1}\n" {
		t.Errorf("counts %s", text)
	}
	for body, want := range map[string]string{`{"kind":"nonsense"}`: "unknown kind", `{"kind":"reset","delay":"soon"}`: "not a duration", `{"kind":"reset","surprise":1}`: "unknown field"} {
		if status, text := send(t, s, http.MethodPost, adminPrefix+"faults", body); status != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	send(t, s, http.MethodDelete, adminPrefix+"requests", "")
	send(t, s, http.MethodDelete, adminPrefix+"faults", "")
	if s.Count("") != 0 || len(s.Faults()) != 0 {
		t.Error("nothing was reset")
	}
}

// TestOnlyForThisMachine: neither other machines nor web pages of other sites
// reach the admin endpoints, and without a token no web page reaches the API.
func TestOnlyForThisMachine(t *testing.T) {
	s, open := startSandbox(t, Options{}), startSandbox(t, Options{Protocol: ProtocolNOTLS})
	for _, test := range []struct {
		from, host, origin, site string
		status                   int
	}{
		{"127.0.0.1:1", "127.0.0.1:8082", "", "", http.StatusOK},
		{"127.0.0.1:1", "localhost", "http://localhost:3000", "", http.StatusOK},
		{"[::1]:1", "[::1]:8082", "https://[::1]", "", http.StatusOK},
		{"127.0.0.1:1", "127.9.9.9", "http://127.0.0.1:1", "", http.StatusOK},
		{"192.0.2.7:1", "127.0.0.1:8082", "", "", http.StatusForbidden},
		{"127.0.0.1:1", "evil.example:8082", "", "", http.StatusForbidden},
		{"127.0.0.1:1", "localhost.evil.example", "", "", http.StatusForbidden},
		{"127.0.0.1:1", "", "", "", http.StatusForbidden},
		{"127.0.0.1:1", "127.0.0.1:8082", "https://evil.example", "", http.StatusForbidden},
		{"127.0.0.1:1", "127.0.0.1:8082", "https://localhost.evil.example", "", http.StatusForbidden},
		{"127.0.0.1:1", "127.0.0.1:8082", "null", "", http.StatusForbidden},
		// A browser sends no origin with a simple GET.
		{"127.0.0.1:1", "127.0.0.1:8082", "", "cross-site", http.StatusForbidden},
		{"127.0.0.1:1", "127.0.0.1:8082", "", "none", http.StatusOK},
		{"127.0.0.1:1", "127.0.0.1:8082", "", "same-origin", http.StatusOK},
		{"127.0.0.1:1", "127.0.0.1:8082", "", "same-site", http.StatusOK},
		{"127.0.0.1:1", "127.0.0.1:8082", "http://localhost:3000", "cross-site", http.StatusOK},
		{"127.0.0.1:1", "127.0.0.1:8082", "https://evil.example", "same-origin", http.StatusForbidden},
	} {
		recorder := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, adminPrefix+"faults", nil)
		request.RemoteAddr, request.Host = test.from, test.host
		setBrowser(request, test.origin, test.site)
		s.Handler().ServeHTTP(recorder, request)
		if recorder.Code != test.status {
			t.Errorf("%+v: %d", test, recorder.Code)
		}
		if !strings.HasPrefix(test.from, "127.") && test.from != "[::1]:1" {
			continue // the listener refuses it
		}
		recorder = httptest.NewRecorder()
		request = httptest.NewRequest(http.MethodPost, "/api/v1/domain/create", strings.NewReader(`{"domain_id":"evil"}`))
		request.RemoteAddr, request.Host = test.from, test.host
		request.Header.Set("Content-Type", "text/plain")
		setBrowser(request, test.origin, test.site)
		open.Handler().ServeHTTP(recorder, request)
		if recorder.Code != test.status {
			t.Errorf("the API, %+v: %d", test, recorder.Code)
		}
	}
}

// setBrowser sets the headers that a browser sends, unless they are "".
func setBrowser(request *http.Request, origin, site string) {
	for name, value := range map[string]string{"Origin": origin, "Sec-Fetch-Site": site} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
}
