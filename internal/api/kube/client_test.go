package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

const testToken = "t0ken-that-nobody-may-see"

// fastBackoff retries almost immediately.
var fastBackoff = httpapi.Backoff{Base: time.Millisecond, Max: 2 * time.Millisecond, MaxRetryAfter: time.Millisecond}

// serve starts an API server with a handler.
func serve(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := New(Config{Host: server.URL, Token: testToken, MaxRetries: 2, UserAgent: "test"})
	if err != nil {
		t.Fatal(err)
	}
	client.SetBackoff(fastBackoff)
	return client
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func deployment() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "kd", "namespace": "cross-domain"},
		"spec":     map[string]any{"initiator": "alice", "inputConfig": "{}"},
	}}
}

const storedDeployment = `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment","metadata":{"name":"kd","namespace":"cross-domain","resourceVersion":"7"}}`

// TestRequests covers the request of each call.
func TestRequests(t *testing.T) {
	t.Parallel()
	var method, path, contentType, body string
	var query url.Values
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+testToken || r.Header.Get("User-Agent") != "test" {
			t.Errorf("headers %v", r.Header)
		}
		content, _ := io.ReadAll(r.Body)
		method, path, query, contentType, body = r.Method, r.URL.Path, r.URL.Query(), r.Header.Get("Content-Type"), string(content)
		answer(w, http.StatusOK, storedDeployment)
	})
	const all = "/apis/kuscia.secretflow/v1alpha1/namespaces/cross-domain/kusciadeployments"
	conditional := deployment()
	conditional.SetResourceVersion("7")
	for name, test := range map[string]struct {
		call                            func() error
		method, path, contentType, body string
		query                           string
	}{
		"get": {
			func() error { return second(client.Get(t.Context(), KusciaDeployments, "cross-domain", "kd")) },
			"GET", all + "/kd", "", "", "",
		},
		"create": {
			func() error { return second(client.Create(t.Context(), KusciaDeployments, deployment())) },
			"POST", all, "application/json", `"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment"`, "fieldManager=terraform-provider-kuscia&fieldValidation=Strict",
		},
		"apply": {
			func() error { return second(client.Apply(t.Context(), KusciaDeployments, conditional, false)) },
			"PATCH", all + "/kd", "application/apply-patch+yaml", `"resourceVersion":"7"`, "fieldManager=terraform-provider-kuscia&fieldValidation=Strict",
		},
		"forced apply": {
			func() error { return second(client.Apply(t.Context(), KusciaDeployments, deployment(), true)) },
			"PATCH", all + "/kd", "application/apply-patch+yaml", `"initiator":"alice"`, "fieldManager=terraform-provider-kuscia&fieldValidation=Strict&force=true",
		},
		"patch of the status": {
			func() error {
				return second(client.Patch(t.Context(), KusciaDeployments, "cross-domain", "kd", "status",
					[]PatchOperation{{Op: "test", Path: "/status/phase", Value: ""}, {Op: "remove", Path: "/x"}}))
			},
			"PATCH", all + "/kd/status", "application/json-patch+json", `[{"op":"test","path":"/status/phase","value":""},{"op":"remove","path":"/x"}]`,
			"fieldManager=terraform-provider-kuscia&fieldValidation=Strict",
		},
		"delete": {
			func() error {
				return client.Delete(t.Context(), KusciaDeployments, "cross-domain", "kd", Preconditions{UID: "u"})
			},
			"DELETE", all + "/kd", "application/json", `"preconditions":{"uid":"u"}`, "",
		},
	} {
		if err := test.call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if method != test.method || path != test.path || contentType != test.contentType || !strings.Contains(body, test.body) || query.Encode() != test.query {
			t.Errorf("%s: %s %s?%s %q %s", name, method, path, query.Encode(), contentType, body)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func status(code int, reason, message, details string) string {
	if details == "" {
		details = "{}"
	}
	text, _ := json.Marshal(message)
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":%s,"code":%d,"details":%s}`, reason, text, code, details)
}

// TestErrors covers the classification of responses of a real API server. The
// texts are those of Kubernetes 1.33.
func TestErrors(t *testing.T) {
	t.Parallel()
	const forbidden = `kusciadeployments.kuscia.secretflow "kd" is forbidden: User "u" cannot patch resource "kusciadeployments" in API group "kuscia.secretflow" in the namespace "cross-domain"`
	tests := map[string]struct {
		code      int
		body      string
		kinds     []error
		not       []error
		text      string
		hint      string
		unknown   bool
		conflicts []FieldConflict
		calls     int // 0 means 1
	}{
		"unauthorised": {code: 401, body: status(401, "Unauthorized", "Unauthorized", ""), kinds: []error{apierror.ErrUnauthorized}, not: []error{ErrForbidden}, hint: "does not accept the credentials"},
		"forbidden":    {code: 403, body: status(403, "Forbidden", forbidden, `{"name":"kd"}`), kinds: []error{apierror.ErrUnauthorized, ErrForbidden}, text: "cannot patch resource", hint: "add them to its Role"},
		"namespace terminating": {
			code: 403, body: status(403, "Forbidden", `x is forbidden: unable to create new content in namespace n because it is being terminated`, `{"causes":[{"reason":"NamespaceTerminating"}]}`),
			kinds: []error{apierror.ErrInvalid}, hint: "being deleted",
		},
		"kind not served": {code: 404, body: "404 page not found\n", kinds: []error{apierror.ErrUnsupported}, not: []error{apierror.ErrNotFound}, hint: "CustomResourceDefinition is not installed"},
		"not found":       {code: 404, body: status(404, "NotFound", `kusciadeployments.kuscia.secretflow "kd" not found`, `{"name":"kd","kind":"kusciadeployments"}`), kinds: []error{apierror.ErrNotFound}},
		"exists":          {code: 409, body: status(409, "AlreadyExists", `kusciadeployments.kuscia.secretflow "kd" already exists`, ""), kinds: []error{apierror.ErrExists}, not: []error{apierror.ErrConflict}},
		"managed by another": {
			code: 409,
			body: status(409, "Conflict", `Apply failed with 1 conflict: conflict with "kubectl-edit" using kuscia.secretflow/v1alpha1: .spec.inputConfig`,
				`{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"kubectl-edit\" using kuscia.secretflow/v1alpha1","field":".spec.inputConfig"}]}`),
			kinds: []error{apierror.ErrConflict}, hint: "force_conflicts", conflicts: []FieldConflict{{"kubectl-edit", ".spec.inputConfig"}},
		},
		"invalid":      {code: 422, body: status(422, "Invalid", `KusciaDeployment "kd" is invalid: spec.initiator: Required value`, ""), kinds: []error{apierror.ErrInvalid}, text: "spec.initiator: Required value"},
		"failed patch": {code: 422, body: status(422, "Invalid", failedPatchText, ""), kinds: []error{ErrPatchTest, apierror.ErrConflict}},
		"webhook down": {
			code: 500, body: status(500, "InternalError", `Internal error occurred: failed calling webhook "vrollout.kb.io": failed to call webhook: dial tcp 127.0.0.1:9876: connect: connection refused`, ""),
			kinds: []error{apierror.ErrUnavailable}, hint: "kruise-rollout-controller-manager", calls: 3,
		},
		"webhook":        {code: 403, body: status(403, "Forbidden", `admission webhook "vrollout.kb.io" denied the request: no`, ""), kinds: []error{apierror.ErrInvalid}, not: []error{ErrForbidden}, text: "denied the request"},
		"policy":         {code: 403, body: status(403, "Forbidden", `rollouts "a" is forbidden: ValidatingAdmissionPolicy 'p' denied request: it cannot have one step`, ""), kinds: []error{apierror.ErrInvalid}, not: []error{ErrForbidden}, text: "denied request"},
		"changed":        {code: 409, body: status(409, "Conflict", `Operation cannot be fulfilled on kusciadeployments "kd": the object has been modified`, ""), kinds: []error{apierror.ErrConflict}, hint: "after it was read"},
		"conversion":     {code: 500, body: status(500, "InternalError", `conversion webhook for rollouts.kruise.io/v1beta1, Kind=Rollout failed: Post "https://x": EOF`, ""), kinds: []error{apierror.ErrUnavailable}, hint: "webhook", calls: 3},
		"404 of a proxy": {code: 404, body: "<html>nothing here</html>", kinds: []error{apierror.ErrUnexpectedResponse}, not: []error{apierror.ErrNotFound}},
		"no namespace":   {code: 404, body: status(404, "NotFound", `namespaces "cross-domain" not found`, `{"name":"cross-domain","kind":"namespaces"}`), kinds: []error{apierror.ErrInvalid}, not: []error{apierror.ErrNotFound}, hint: "namespace does not exist"},
		"other":          {code: 200, body: `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment","metadata":{"name":"another","namespace":"cross-domain"}}`, kinds: []error{apierror.ErrUnexpectedResponse}, text: "another object"},
		"web page":       {code: 200, body: "<html></html>", kinds: []error{apierror.ErrUnexpectedResponse}, unknown: true},
		"etcd":           {code: 500, body: status(500, "InternalError", "etcdserver: request timed out", ""), kinds: []error{apierror.ErrUnavailable}, unknown: true},
		"echo":           {code: 422, body: status(422, "Invalid", "wrong: "+testToken+" \x1b[31m", ""), kinds: []error{apierror.ErrInvalid}, text: "wrong: *** "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				calls++
				answer(w, test.code, test.body)
			})
			wanted := deployment()
			wanted.SetResourceVersion("7")
			_, err := client.Apply(t.Context(), KusciaDeployments, wanted, false)
			if err == nil {
				t.Fatal("no error")
			}
			for _, kind := range test.kinds {
				if !errors.Is(err, kind) {
					t.Errorf("want %v, got %v", kind, err)
				}
			}
			for _, kind := range test.not {
				if errors.Is(err, kind) {
					t.Errorf("want no %v, got %v", kind, err)
				}
			}
			if text := err.Error(); !strings.Contains(text, test.text) || strings.Contains(text, testToken) || len(text) > 10<<10 || strings.Contains(text, "\x1b") {
				t.Errorf("text %.300s", text)
			}
			if hint := apierror.Hint(err); !strings.Contains(hint, test.hint) {
				t.Errorf("hint %q", hint)
			}
			if got := FieldConflicts(err); !slices.Equal(got, test.conflicts) {
				t.Errorf("conflicts %v", got)
			}
			if unknown := apierror.OutcomeUnknown(err); unknown != (test.unknown || name == "other") {
				t.Errorf("outcome unknown: %t", unknown)
			}
			if want := max(1, test.calls); calls != want {
				t.Errorf("%d calls, want %d", calls, want)
			}
		})
	}
}

// TestListPages: a list reads page by page, restarts when its continue token
// has expired, and requests smaller pages when one is too large.
func TestListPages(t *testing.T) {
	t.Parallel()
	item := func(n int) string {
		return fmt.Sprintf(`{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment","metadata":{"name":"kd-%d","namespace":"cross-domain"}}`, n)
	}
	page := func(w http.ResponseWriter, token string, items ...string) {
		answer(w, 200, fmt.Sprintf(`{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeploymentList","metadata":{"resourceVersion":"9","continue":%q},"items":[%s]}`, token, strings.Join(items, ",")))
	}
	var calls []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		calls = append(calls, q.Get("limit")+q.Get("continue"))
		switch len(calls) {
		case 1:
			page(w, "A", item(1))
		case 2:
			answer(w, 410, status(410, "Expired", "The provided continue parameter is too old", ""))
		case 3:
			answer(w, 200, strings.Repeat(" ", httpapi.MaxResponseSize+1))
		case 4:
			page(w, "B", item(1), item(2))
		default:
			page(w, "", item(3))
		}
	})
	list, err := client.List(t.Context(), KusciaDeployments, ListOptions{Namespace: "cross-domain"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"500", "500A", "500", "125", "125B"}; !slices.Equal(calls, want) {
		t.Errorf("requests %v, want %v", calls, want)
	}
	if len(list.Items) != 3 || list.Items[2].GetName() != "kd-3" || list.GetResourceVersion() != "9" {
		t.Errorf("%d items", len(list.Items))
	}

	endless := serve(t, func(w http.ResponseWriter, _ *http.Request) { page(w, "again") })
	if _, err := endless.List(t.Context(), KusciaDeployments, ListOptions{}); err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Errorf("an endless list: %v", err)
	}
}

// TestServes: discovery is repeated until the kind is served.
func TestServes(t *testing.T) {
	t.Parallel()
	calls, there := 0, false
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls++
		if r.URL.Path != "/apis/rollouts.kruise.io/v1alpha1" || !there {
			answer(w, 404, "404 page not found\n")
			return
		}
		answer(w, 200, `{"kind":"APIResourceList","resources":[{"name":"rollouts"},{"name":"rollouts/status"}]}`)
	})
	newer := Kind{"rollouts.kruise.io", "v1beta1", "rollouts", "Rollout"}
	older := Kind{"rollouts.kruise.io", "v1alpha1", "rollouts", "Rollout"}
	if _, ok, err := client.FirstServed(t.Context(), newer, older); ok || err != nil {
		t.Errorf("%t %v", ok, err)
	}
	there = true
	for range 2 {
		if kind, ok, err := client.FirstServed(t.Context(), newer, older); !ok || err != nil || kind != older {
			t.Errorf("%v %t %v", kind, ok, err)
		}
	}
	if calls != 5 { // four requests, and one for the newer version
		t.Errorf("%d calls", calls)
	}
	if ok, err := client.Serves(t.Context(), Kind{"rollouts.kruise.io", "v1alpha1", "trafficroutings", "TrafficRouting"}); ok || err != nil {
		t.Errorf("%t %v", ok, err)
	}
}

// TestLostResponses: reads and deletes are repeated after a lost response,
// creates and conditional writes are not.
func TestLostResponses(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			panic(http.ErrAbortHandler)
		}
		if r.Method == http.MethodDelete {
			answer(w, 404, status(404, "NotFound", "gone", `{"name":"kd"}`))
			return
		}
		answer(w, 200, storedDeployment)
	})
	_, err := client.Create(t.Context(), KusciaDeployments, deployment())
	if !apierror.OutcomeUnknown(err) || calls.Load() != 1 {
		t.Errorf("create: %v after %d calls", err, calls.Load())
	}
	calls.Store(0)
	if _, err := client.Patch(t.Context(), KusciaDeployments, "cross-domain", "kd", "", []PatchOperation{{Op: "remove", Path: "/x"}}); !apierror.OutcomeUnknown(err) || calls.Load() != 1 {
		t.Errorf("patch: %v after %d calls", err, calls.Load())
	}
	calls.Store(0)
	if _, err := client.Apply(t.Context(), KusciaDeployments, deployment(), false); err != nil || calls.Load() != 2 {
		t.Errorf("apply: %v after %d calls", err, calls.Load())
	}
	calls.Store(0)
	if err := client.Delete(t.Context(), KusciaDeployments, "cross-domain", "kd", Preconditions{}); !errors.Is(err, apierror.ErrNotFound) || !apierror.OutcomeUnknown(err) || calls.Load() != 2 {
		t.Errorf("delete: %v after %d calls", err, calls.Load())
	}
}

// TestMaskField: secret fields are masked in the log.
func TestMaskField(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{
		"inputConfig": `{"key":"secret"}`, "data": map[string]any{"a": "secret"},
		"env": []any{map[string]any{"name": "INPUT_CONFIG", "value": "secret"}}, "kubectl.kubernetes.io/last-applied-configuration": "secret",
	} {
		hidden, ok := maskField(name, value)
		text, _ := json.Marshal(hidden)
		if !ok || strings.Contains(string(text), "secret") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if _, ok := maskField("initiator", "alice"); ok {
		t.Error("initiator is masked")
	}
}
