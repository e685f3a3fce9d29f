package kuscia

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// fault is the faulty response to one attempt.
type fault func(w http.ResponseWriter)

func status(code int, body string, header ...string) fault {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func failure(code, message string) fault {
	return status(http.StatusOK, failureResponse(code, message))
}

func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func truncated(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, successResponse)
}

func hang(w http.ResponseWriter) { time.Sleep(400 * time.Millisecond) }

// faultServer returns the fault for the first attempts and a correct response
// afterwards.
type faultServer struct {
	fault fault
	times int32
	calls atomic.Int32
	good  string
}

func (s *faultServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if n := s.calls.Add(1); s.times < 0 || n <= s.times {
		s.fault(w)
		return
	}
	_, _ = io.WriteString(w, s.good)
}

// sorts are calls of each sort, for the rules below.
var sorts = []struct {
	name string
	good string
	call func(context.Context, *Client) error
}{
	{"create serving", successResponse, func(ctx context.Context, c *Client) error {
		return c.CreateServing(ctx, &CreateServingRequest{ServingID: "glm", Initiator: "alice"})
	}},
	{"create app image", successResponse, func(ctx context.Context, c *Client) error {
		return c.CreateAppImage(ctx, &AppImage{Name: "glm"})
	}},
	{"update", successResponse, func(ctx context.Context, c *Client) error {
		return c.UpdateServing(ctx, &UpdateServingRequest{ServingID: "glm", ServingInputConfig: "{}"})
	}},
	{"delete", successResponse, func(ctx context.Context, c *Client) error { return c.DeleteServing(ctx, "glm") }},
	{"query", servingResponse, func(ctx context.Context, c *Client) error {
		_, err := c.QueryServing(ctx, "glm")
		return err
	}},
}

// TestRetryRules covers for each failure whether it is repeated, for creates
// and for repeatable operations, its kind, and whether a write may have taken
// effect.
func TestRetryRules(t *testing.T) {
	const (
		no  = false
		yes = true
	)
	rules := []struct {
		name  string
		fault fault
		// create and other report whether a create and any other call is
		// repeated.
		create, other bool
		// open reports whether a write may have taken effect.
		open bool
		kind error
	}{
		{"429", status(429, "slow down"), yes, yes, no, ErrUnavailable},
		{"500", status(500, "oops"), no, yes, yes, ErrUnavailable},
		{"503", status(503, ""), no, yes, yes, ErrUnavailable},
		{"reset", reset, no, yes, yes, ErrUnavailable},
		{"cut off", truncated, no, yes, yes, ErrUnavailable},
		{"empty", status(200, ""), no, yes, yes, ErrUnexpectedResponse},
		{"page", status(200, "<!doctype html><p>hello", "Content-Type", "text/html"), no, yes, yes, ErrUnexpectedResponse},
		{"time-out", hang, no, yes, yes, ErrUnavailable},
		{"master not reached", failure("11103", "request master failed"), no, yes, yes, ErrUnavailable},
		{"etcd time-out", failure("11600", "etcdserver: request timed out"), no, yes, yes, ErrUnavailable},
		{"apiserver refused", failure("11600", "dial tcp 127.0.0.1:6443: connect: connection refused"), yes, yes, no, ErrUnavailable},
		{"conflict", failure("11603", `Operation cannot be fulfilled on kusciadeployments.kuscia.secretflow "glm": the object has been modified; please apply your changes to the latest version and try again`), yes, yes, no, ErrConflict},
		{"leftover", failure("11600", `k8s deployment "cross-domain/glm" of sub resources for serving already exists, please ensure that the name is not duplicated`), yes, yes, no, ErrLeftover},

		{"validation", failure("11100", "serving id can not be empty"), no, no, no, ErrInvalid},
		{"unexpected", failure("11101", "EOF"), no, no, no, ErrServerFault},
		{"panic", failure("11101", "doBizProcess panic, err: assignment to entry in nil map"), no, no, yes, ErrServerFault},
		{"lite", failure("11104", "lite api not support"), no, no, no, ErrUnsupported},
		{"some refusal", failure("11600", "something else"), no, no, no, nil},
		{"400", status(400, "bad"), no, no, no, ErrInvalid},
		{"401", status(401, ""), no, no, no, ErrUnauthorized},
		{"403", status(403, "no"), no, no, no, ErrUnauthorized},
		{"404", status(404, "404 page not found"), no, no, no, ErrUnsupported},
		{"redirect, which would send the token to another server", status(307, "", "Location", "https://elsewhere.example/"), no, no, no, ErrUnexpectedResponse},
		{"no status", status(200, `{"data":{}}`), no, no, yes, ErrUnexpectedResponse},
	}
	for _, rule := range rules {
		for _, sort := range sorts {
			t.Run(rule.name+"/"+sort.name, func(t *testing.T) {
				t.Parallel()
				server := &faultServer{fault: rule.fault, times: 2, good: sort.good}
				client := newTestClient(t, server, func(c *Config) {
					if rule.name == "time-out" {
						c.RequestTimeout = 60 * time.Millisecond
					}
				})
				creates := strings.HasPrefix(sort.name, "create")
				repeated := rule.create && creates || rule.other && !creates
				err := sort.call(t.Context(), client)
				if repeated {
					if err != nil || server.calls.Load() != 3 {
						t.Fatalf("%d attempts, %v; want success of the third", server.calls.Load(), err)
					}
					return
				}
				if err == nil || server.calls.Load() != 1 {
					t.Fatalf("%d attempts, %v; want one that fails", server.calls.Load(), err)
				}
				wantKind(t, "the error", err, rule.kind)
				if got, want := apierror.OutcomeUnknown(err), rule.open && sort.name != "query"; got != want {
					t.Errorf("OutcomeUnknown is %v, want %v: %v", got, want, err)
				}
			})
		}
	}
}

// TestNoConnection: after a refused connection every operation is repeated, including a create.
func TestNoConnection(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	for _, sort := range sorts {
		client := newClientFor(t, server.URL)
		err := sort.call(t.Context(), client)
		var e *Error
		if !errors.As(err, &e) || e.Attempts != 4 || !errors.Is(err, ErrUnavailable) || apierror.OutcomeUnknown(err) {
			t.Errorf("%s: %v (outcome unknown: %v)", sort.name, err, apierror.OutcomeUnknown(err))
		}
		if !strings.Contains(err.Error(), "connection refused") || !strings.Contains(Hint(err), "endpoint") {
			t.Errorf("%s: %v, hint %q", sort.name, err, Hint(err))
		}
	}
	client := newClientFor(t, "http://kuscia-that-does-not-exist.invalid:8082", func(c *Config) { c.MaxRetries = 0 })
	if err := sorts[0].call(t.Context(), client); !errors.Is(err, ErrUnavailable) || Hint(err) == "" || apierror.OutcomeUnknown(err) {
		t.Errorf("unknown host: %v, hint %q", err, Hint(err))
	}
}

// TestOutcomeStaysUnknown: after a lost response and another failure, the outcome of
// the first attempt is still unknown.
func TestOutcomeStaysUnknown(t *testing.T) {
	var calls atomic.Int32
	client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if calls.Add(1) == 1 {
			reset(w)
			return
		}
		failure("11603", "something else")(w)
	}))
	err := client.UpdateServing(t.Context(), &UpdateServingRequest{ServingID: "glm"})
	if calls.Load() != 2 || !apierror.OutcomeUnknown(err) {
		t.Fatalf("%d tries, %v", calls.Load(), err)
	}
}

// TestRetriesEnd: how often a permanent failure is repeated depends on the retries; a caller that
// handles conflicts itself gets the first one.
func TestRetriesEnd(t *testing.T) {
	for _, retries := range []int{0, 1, 4} {
		for name, test := range map[string]struct {
			ctx      context.Context
			fault    fault
			attempts int
			kind     error
		}{
			"503":                 {t.Context(), status(503, ""), retries + 1, ErrUnavailable},
			"conflict":            {t.Context(), failure("11603", "the object has been modified"), 3*retries + 1, ErrConflict},
			"conflict, reported":  {WithoutConflictRetries(t.Context()), failure("11603", "the object has been modified"), 1, ErrConflict},
			"503 with that limit": {WithoutConflictRetries(t.Context()), status(503, ""), retries + 1, ErrUnavailable},
		} {
			server := &faultServer{fault: test.fault, times: -1}
			client := newTestClient(t, server, func(c *Config) { c.MaxRetries = retries })
			client.api.Backoff.ConflictTimeout = time.Minute
			err := client.UpdateServing(test.ctx, &UpdateServingRequest{ServingID: "glm"})
			var e *Error
			if !errors.Is(err, test.kind) || !errors.As(err, &e) || e.Attempts != test.attempts || int(server.calls.Load()) != test.attempts {
				t.Errorf("%s with %d retries: %d attempts: %v", name, retries, server.calls.Load(), err)
			}
		}
	}
}

// TestRetryAfter: the client waits as long as the server requests, up to the
// limit.
func TestRetryAfter(t *testing.T) {
	for _, header := range []string{"1", time.Now().Add(30 * time.Second).UTC().Format(http.TimeFormat)} {
		server := &faultServer{fault: status(503, "", "Retry-After", header), times: 1, good: servingResponse}
		client := newTestClient(t, server)
		client.api.Backoff.MaxRetryAfter = 120 * time.Millisecond
		began := time.Now()
		if _, err := client.QueryServing(t.Context(), "glm"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 120*time.Millisecond || took > 700*time.Millisecond {
			t.Errorf("Retry-After %s: the second attempt came after %s", header, took)
		}
	}

}

// TestDeadline: the caller's deadline ends the waits between attempts and the
// attempt itself.
func TestDeadline(t *testing.T) {
	t.Run("between attempts", func(t *testing.T) {
		server := &faultServer{fault: status(503, ""), times: -1}
		client := newTestClient(t, server, func(c *Config) { c.MaxRetries = 100 })
		client.api.Backoff.Base, client.api.Backoff.Max = time.Minute, time.Minute
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		began := time.Now()
		err := client.UpdateServing(ctx, &UpdateServingRequest{ServingID: "glm"})
		if !errors.Is(err, context.DeadlineExceeded) || !apierror.OutcomeUnknown(err) || time.Since(began) > 5*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		if !strings.Contains(err.Error(), "503") && !strings.Contains(err.Error(), "Service Unavailable") {
			t.Errorf("the error does not contain the previous failure: %v", err)
		}
	})
	t.Run("during an attempt", func(t *testing.T) {
		server := &faultServer{fault: hang, times: -1}
		client := newTestClient(t, server)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		err := client.CreateServing(ctx, &CreateServingRequest{ServingID: "glm"})
		if !errors.Is(err, context.Canceled) || !apierror.OutcomeUnknown(err) || server.calls.Load() != 1 {
			t.Errorf("%d attempts, %v, outcome unknown: %v", server.calls.Load(), err, apierror.OutcomeUnknown(err))
		}
	})
	t.Run("the timeout of a request is not the caller's", func(t *testing.T) {
		client := newTestClient(t, &faultServer{fault: hang, times: -1}, func(c *Config) {
			c.RequestTimeout, c.MaxRetries = 150*time.Millisecond, 0
		})
		_, err := client.QueryServing(t.Context(), "glm")
		if errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "150ms") {
			t.Errorf("%v", err)
		}
	})
}

func TestWhatIsSent(t *testing.T) {
	var got *http.Request
	var body string
	client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		got, body = r, string(content)
		_, _ = io.WriteString(w, successResponse)
	}), func(c *Config) {
		c.CustomHeaders = map[string]string{"team": "ml"}
		c.UserAgent = "test/1"
		c.Endpoint += "/kuscia/"
	})
	replicas := int32(2)
	if err := client.UpdateServing(t.Context(), &UpdateServingRequest{
		ServingID: "glm", Header: &RequestHeader{CustomHeaders: map[string]string{"run": "7"}},
		Parties: []ServingParty{{DomainID: "alice", Replicas: &replicas}},
	}); err != nil {
		t.Fatal(err)
	}
	want := `{"header":{"custom_headers":{"run":"7","team":"ml"}},"serving_id":"glm","parties":[{"domain_id":"alice","replicas":2}]}`
	if body != want {
		t.Errorf("body %s, want %s", body, want)
	}
	if got.Method != http.MethodPost || got.URL.Path != "/kuscia/api/v1/serving/update" ||
		got.Header.Get("Token") != testToken || got.Header.Get("Content-Type") != "application/json" || got.UserAgent() != "test/1" {
		t.Errorf("%s %s %v", got.Method, got.URL.Path, got.Header)
	}
	if client.config.CustomHeaders["run"] != "" {
		t.Error("a request changed the client's headers")
	}
}

func TestVersion(t *testing.T) {
	for answer, want := range map[string]struct{ known, sources, affinity bool }{ // since v0.9 and v1.1
		"v1.1.0b0-6-ge909d9f6\n":    {true, true, true},
		"v0.9.0b0":                  {true, true, false},
		"0.5.0.dev231215":           {true, false, false},
		"v2.0.0":                    {true, true, true},
		"v?.?.?":                    {false, true, true},
		"<html>hello</html>":        {false, true, true},
		"":                          {false, true, true}, // an API without a version
		strings.Repeat("1.1.", 200): {false, true, true},
	} {
		server := &faultServer{good: answer}
		if answer == "" {
			server.fault, server.times = status(404, "404 page not found"), 2
		}
		client := newTestClient(t, server)
		for range 2 {
			v, err := client.Version(t.Context())
			if err != nil || v.Known() != want.known || v.Has(versions.DataSourceList) != want.sources || v.Has(versions.AffinityMode) != want.affinity {
				t.Errorf("%.30q: %+v, %v", answer, v, err)
			}
		}
		if server.calls.Load() != 1 {
			t.Errorf("%.30q: %d requests", answer, server.calls.Load())
		}
	}
	// A failed request is not cached; a response that is not a version is.
	client := newTestClient(t, &faultServer{fault: status(503, ""), times: 1, good: "v1.1.0b0"}, func(c *Config) { c.MaxRetries = 0 })
	if _, err := client.Version(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if v, err := client.Version(t.Context()); err != nil || v.String() != "v1.1.0b0" {
		t.Errorf("%v, %v", v, err)
	}
}

// TestNotFoundIsStrict: only texts about the requested object mean not found or
// exists. The loser of two simultaneous creates gets a special code, which means that the object
// exists, whatever the text; conflicts have the code of the update.
func TestNotFoundIsStrict(t *testing.T) {
	const modified = `": the object has been modified; please apply your changes to the latest version and try again`
	cases := []struct {
		op      operation
		id      string
		code    int32
		message string
		want    error
	}{
		{opQueryServing, "glm", 11601, `kusciadeployments.kuscia.secretflow "glm" not found`, ErrNotFound},
		{opQueryServing, "glm", 11601, `kusciadeployments.kuscia.secretflow "glm2" not found`, nil},
		{opQueryServing, "glm", 11601, `appimages.kuscia.secretflow "glm" not found`, nil},
		{opQueryServing, "glm", 11601, `can not get appimage glm from cluster, appimages.kuscia.secretflow "glm" not found`, ErrAppImageMissing},
		{opQueryServing, "glm", 11601, `can not get appimage glm from cluster, kusciadeployments.kuscia.secretflow "glm" not found`, nil},
		{opCreateServing, "glm", 11600, `kusciadeployments.kuscia.secretflow "glm" not found`, nil},
		{opCreateServing, "glm", 11600, `kusciadeployments.kuscia.secretflow "glm" already exists`, ErrExists},
		{opCreateServing, "glm", 11600, `kusciadeployments.kuscia.secretflow "other" already exists`, nil},
		{opCreateServing, "glm", 11600, `serving "cross-domain/glm" already exists, please ensure`, ErrExists},
		{opCreateServing, "glm", 11600, `k8s deployment "cross-domain/glm" of sub resources for serving already exists, please`, ErrLeftover},
		{opDeleteAppImage, "sf", 13103, `appimages.kuscia.secretflow "sf2" not found`, nil},
		{opQueryDomain, "alice", 11305, `domains.kuscia.secretflow "bob" not found`, nil},
		{opQueryDomain, "alice", 11305, `no route to this domain`, nil},
		{opQueryRoute, "a/b", 11404, `clusterdomainroutes.kuscia.secretflow "a-b" not found`, ErrNotFound},
		{opQueryGrant, "a/g", 11705, `domaindatas.kuscia.secretflow "d" not found`, nil},
		{opQueryServing, "glm", 11601, `serving not found`, ErrUnauthorized},
		{opUpdateDomain, "rk-b", 11303, `Operation cannot be fulfilled on domains.kuscia.secretflow "rk-b` + modified, ErrConflict},
		{opUpdateDataSource, "a/s", 11801, `Operation cannot be fulfilled on domaindatasources.kuscia.secretflow "s` + modified, ErrConflict},
		{opUpdateGrant, "a/g", 11701, `Operation cannot be fulfilled on domaindatagrants.kuscia.secretflow "g` + modified, ErrConflict},
		{opCreateDomain, "a", 11306, `somebody was faster`, ErrExists},
		{opCreateRoute, "a/b", 11405, `somebody was faster`, ErrExists},
		{opCreateDomainData, "a/d", 11507, `somebody was faster`, ErrExists},
		{opCreateDataSource, "a/s", 11805, `somebody was faster`, ErrExists},
		{opCreateGrant, "a/g", 11704, `somebody was faster`, ErrExists},
		{opUpdateConfig, "k", 11902, `key[k] length is 257 bytes and exceed the max length 256 bytes`, ErrInvalid},
		{opBatchQueryDataSource, "a/s", 11803, `decrypt data source info failed, crypto/rsa: decryption error`, ErrUnreadable},
		{opQueryServing, "glm", 11601, `can not get deploy template from appimage &{... connection refused ... etcdserver: request timed out}`, ErrTemplateMissing},
	}
	for _, c := range cases {
		found := classify(c.op.Operation, []string{c.id}, c.code, c.message)
		err := &Error{Message: c.message, Kinds: found.Kinds}
		wantKind(t, fmt.Sprintf("%s %d %s", c.op.Name, c.code, c.message), err, c.want)
	}
	if found := classify(opQueryServing.Operation, []string{"glm"}, 11601, "serving not found"); !slices.Contains(found.Kinds, ErrNotAParty) {
		t.Errorf("a serving of other parties: %v", found.Kinds)
	}
}
