package httpapi_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

const secretKey = "pl4nted-s1gning-key"

// plain is the protocol of a typical API: a signature over the request, HTTP
// status codes, and errors as JSON.
type plain struct{ key string }

func (p plain) Authorize(request *http.Request, body []byte) error {
	if p.key == "" {
		return errors.New("no key")
	}
	request.Header.Set("X-Signature", sign(p.key, request, body))
	return nil
}

func sign(key string, request *http.Request, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = fmt.Fprintln(mac, request.Method, request.URL.RequestURI(), request.Header.Get("X-Project"), string(body))
	return hex.EncodeToString(mac.Sum(nil))
}

func (plain) Classify(call *httpapi.Call, response *http.Response, body []byte) httpapi.Classification {
	if response.StatusCode >= 200 && response.StatusCode <= 299 {
		document, err := httpapi.NewDocument(body)
		if response.StatusCode != http.StatusNoContent && err != nil {
			return httpapi.ClassifyNotJSON(call, response, body)
		}
		return httpapi.Classification{Data: document}
	}
	c := httpapi.ClassifyStatus(call, response, body)
	var answer struct {
		Code    string `json:"error_code"`
		Message string `json:"error_msg"`
	}
	if json.Unmarshal(body, &answer) == nil && answer.Code != "" {
		c.Code, c.Message = answer.Code, answer.Message
	}
	return c
}

func (plain) Hint(e *apierror.Error) string {
	if errors.Is(e, apierror.ErrUnauthorized) {
		return "Check access_key and secret_key."
	}
	return ""
}

// api is one of the protocols with a create and a query operation.
type api struct {
	name          string
	create, query func(context.Context) error
	// good is a successful response to both; refuse is the API's own error.
	good   http.HandlerFunc
	refuse func(message string) http.HandlerFunc
	code   string
	secret string
}

func text(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

var quick = httpapi.Backoff{
	Base: time.Millisecond, Max: 5 * time.Millisecond, MaxRetryAfter: 10 * time.Millisecond,
	ConflictBase: time.Millisecond, ConflictMax: time.Millisecond, ConflictTimeout: 20 * time.Millisecond,
	PendingDeletionBase: time.Millisecond, PendingDeletionMax: time.Millisecond, PendingDeletionTimeout: 20 * time.Millisecond,
}

func newPlain(t *testing.T, endpoint string) *httpapi.Client {
	t.Helper()
	client, err := httpapi.New(httpapi.Config{
		Name: "plain", Endpoint: endpoint, Protocol: plain{secretKey}, Secrets: []string{secretKey},
		MaxRetries: 2, RequestTimeout: 2 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	client.Backoff = quick
	t.Cleanup(client.HTTP().CloseIdleConnections)
	return client
}

// apis returns both protocols with the same handler.
func apis(t *testing.T, handler func(a api) http.HandlerFunc) []api {
	t.Helper()
	var current atomic.Pointer[http.HandlerFunc]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*current.Load())(w, r) }))
	t.Cleanup(server.Close)
	use := func(a api, call func(context.Context) error) func(context.Context) error {
		response := handler(a)
		return func(ctx context.Context) error {
			current.Store(&response)
			return call(ctx)
		}
	}

	client := newPlain(t, server.URL)
	own := api{name: "plain", good: text(200, `{"id":"a"}`), code: "P.0001", secret: secretKey}
	own.refuse = func(message string) http.HandlerFunc {
		return text(422, `{"error_code":"P.0001","error_msg":`+quoted(message)+`}`)
	}
	own.create = use(own, func(ctx context.Context) error {
		_, err := client.Do(ctx, httpapi.Call{
			Operation: httpapi.Operation{Name: "thing/create", Method: http.MethodPost, Path: "/v3/things", Writes: true, Creates: true},
			IDs:       []string{"a"}, Body: []byte(`{"name":"a"}`), Header: http.Header{"X-Project": {"p"}},
		})
		return err
	})
	own.query = use(own, func(ctx context.Context) error {
		_, err := client.Do(ctx, httpapi.Call{
			Operation: httpapi.Operation{Name: "thing/get", Method: http.MethodGet}, IDs: []string{"a"}, Query: "limit=1",
		})
		return err
	})

	const token = "pl4nted-token"
	kusciaClient, err := kuscia.New(kuscia.Config{Endpoint: server.URL, Token: token, MaxRetries: 2, RequestTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	kusciaClient.SetBackoff(quick)
	envelope := func(code int, message string) http.HandlerFunc {
		return text(200, fmt.Sprintf(`{"status":{"code":%d,"message":%s},"data":{"parties":[]}}`, code, quoted(message)))
	}
	theirs := api{name: "KusciaAPI", good: envelope(0, "success"), code: "11100", secret: token}
	theirs.refuse = func(message string) http.HandlerFunc { return envelope(11100, message) }
	theirs.create = use(theirs, func(ctx context.Context) error {
		return kusciaClient.CreateServing(ctx, &kuscia.CreateServingRequest{ServingID: "a"})
	})
	theirs.query = use(theirs, func(ctx context.Context) error {
		_, err := kusciaClient.QueryServing(ctx, "a")
		return err
	})
	return []api{own, theirs}
}

// first uses one handler for the given number of attempts and another one
// afterwards.
func first(times int, fault, then http.HandlerFunc) http.HandlerFunc {
	var tries atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		if int(tries.Add(1)) <= times {
			fault(w, r)
			return
		}
		then(w, r)
	}
}

// TestBothProtocolsRepeatAlike: transport failures are handled the same for
// every API. A request that may have been carried out is repeated unless it is
// a create; one that certainly was not is always repeated.
func TestBothProtocolsRepeatAlike(t *testing.T) {
	cut := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, "{")
	}
	for name, test := range map[string]struct {
		fault          http.HandlerFunc
		repeatsCreate  bool
		kind           error
		outcomeUnknown bool
	}{
		"429":       {text(429, ""), true, apierror.ErrUnavailable, false},
		"500":       {text(500, "oops"), false, apierror.ErrUnavailable, true},
		"cut off":   {cut, false, apierror.ErrUnavailable, true},
		"empty":     {text(200, ""), false, apierror.ErrUnexpectedResponse, true},
		"HTML page": {text(200, "<html>"), false, apierror.ErrUnexpectedResponse, true},
	} {
		for _, a := range apis(t, func(a api) http.HandlerFunc { return first(1, test.fault, a.good) }) {
			err := a.create(t.Context())
			if (err == nil) != test.repeatsCreate {
				t.Errorf("%s, %s: create: %v, want a repetition: %t", name, a.name, err, test.repeatsCreate)
			}
			if err != nil && (!errors.Is(err, test.kind) || apierror.OutcomeUnknown(err) != test.outcomeUnknown) {
				t.Errorf("%s, %s: create: %v, outcome unknown: %t", name, a.name, err, apierror.OutcomeUnknown(err))
			}
		}
		for _, a := range apis(t, func(a api) http.HandlerFunc { return first(1, test.fault, a.good) }) {
			if err := a.query(t.Context()); err != nil {
				t.Errorf("%s, %s: query: %v", name, a.name, err)
			}
		}
	}
}

// TestBothProtocolsShowRefusals: an error of the API has its code and its text,
// which is masked, bounded and cleaned.
func TestBothProtocolsShowRefusals(t *testing.T) {
	for _, a := range apis(t, func(a api) http.HandlerFunc {
		return a.refuse("no room for \x1b]0;x\x07" + a.secret + "\u202e!" + strings.Repeat("x", 20000))
	}) {
		err := a.create(t.Context())
		var e *apierror.Error
		if !errors.As(err, &e) || e.Code != a.code || !errors.Is(err, apierror.ErrInvalid) || apierror.OutcomeUnknown(err) || e.Attempts != 1 {
			t.Errorf("%s: %+v", a.name, e)
			continue
		}
		if !strings.HasPrefix(e.Message, "no room for  ]0;x ***!x") || len(e.Message) > httpapi.MaxMessage+50 || strings.ContainsAny(err.Error(), "\x1b\x07\u202e") {
			t.Errorf("%s: %.100q", a.name, e.Message)
		}
	}
	for _, a := range apis(t, func(api) http.HandlerFunc { return text(401, "") }) {
		if err := a.query(t.Context()); !errors.Is(err, apierror.ErrUnauthorized) || apierror.Hint(err) == "" {
			t.Errorf("%s: %v, hint %q", a.name, err, apierror.Hint(err))
		}
	}
}

// TestEveryTryIsSigned: every attempt has a new signature over what is sent.
func TestEveryTryIsSigned(t *testing.T) {
	var tries atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if got, want := r.Header.Get("X-Signature"), sign(secretKey, r, body); got != want {
			t.Errorf("signature %q, want %q", got, want)
		}
		if r.URL.RequestURI() != "/base/v3/things/a%2Fb?limit=1&x=y" || string(body) != `{"a":1}` || r.Header.Get("Content-Type") != "application/merge-patch+json" {
			t.Errorf("%s %s %q", r.URL.RequestURI(), body, r.Header)
		}
		if tries.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	response, err := newPlain(t, server.URL+"/base/").Do(t.Context(), httpapi.Call{
		Operation: httpapi.Operation{Name: "thing/update", Method: http.MethodPut, Path: "/v3/things/a%2Fb", Writes: true},
		Query:     "limit=1&x=y", Body: []byte(`{"a":1}`), Header: http.Header{"Content-Type": {"application/merge-patch+json"}},
	})
	if err != nil || tries.Load() != 3 || response.Data.Size() != 0 {
		t.Errorf("%d attempts: %v", tries.Load(), err)
	}
}

// TestNotAuthorised: a request that cannot be authorized is not sent.
func TestNotAuthorised(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request was sent") }))
	t.Cleanup(server.Close)
	client, err := httpapi.New(httpapi.Config{Name: "plain", Endpoint: server.URL, Protocol: plain{}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Do(t.Context(), httpapi.Call{Operation: httpapi.Operation{Name: "thing/create", Method: http.MethodPost, Path: "/", Writes: true, Creates: true}})
	if err == nil || !strings.Contains(err.Error(), "thing/create: make the request: no key") || apierror.OutcomeUnknown(err) {
		t.Errorf("%v", err)
	}
}
