package httpapi_test

import (
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
