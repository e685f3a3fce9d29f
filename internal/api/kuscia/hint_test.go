package kuscia

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// TestHints covers the hint for each failure.
func TestHints(t *testing.T) {
	image := func(c *Client) error { _, err := c.QueryAppImage(t.Context(), "sf"); return err }
	create := func(c *Client) error {
		return c.CreateServing(t.Context(), &CreateServingRequest{ServingID: "glm"})
	}
	update := func(c *Client) error {
		return c.UpdateServing(t.Context(), &UpdateServingRequest{ServingID: "glm"})
	}
	query := func(c *Client) error { _, err := c.QueryServing(t.Context(), "glm"); return err }
	cases := []struct {
		name  string
		fault fault
		call  func(*Client) error
		parts []string // of error and hint
	}{
		{"token", status(401, ""), query, []string{"HTTP 401", "empty body", "certs_dir", "token"}},
		{"gateway", status(403, "denied"), query, []string{"HTTP 403: Forbidden: denied", "gateway"}},
		{"old server", status(404, "404 page not found"), image, []string{"404 page not found", "v0.13"}},
		{"not a KusciaAPI", status(404, "<html>", "Content-Type", "text/html"), query, []string{"HTML page", "8082"}},
		{"page", status(200, "<html>", "Content-Type", "text/html"), query, []string{"HTML page", "proxy"}},
		{"rate", status(429, "slow down"), query, []string{"slow down", "-parallelism"}},
		{"gateway in trouble", status(502, "<html>"), query, []string{"502", "Bad Gateway", "again"}},
		{"cut off", truncated, query, []string{"lost", "proxies"}},
		{"empty", status(200, ""), query, []string{"empty", "again"}},
		{"wrong form", status(200, "{}"), query, []string{"no status code", "version"}},
		{"lite", failure("11104", "lite api not support"), image, []string{"code 11104", "lite node", "master"}},
		{"lite without master", failure("11103", "request master failed"), query, []string{"11103", "master"}},
		{"master", failure("11105", "no"), query, []string{"11105", "master"}},
		{"no party", failure("11102", "domain's kuscia api could only handle"), create, []string{"11102", "not a party", "initiator"}},
		{"no own domain", failure("11102", "domain's kusciaAPI could only query DomainRoute with source or destination is itself"), image, []string{"11102", "node of another domain"}},
		{"not found for others", failure("11601", "serving not found"), query, []string{"not a party"}},
		{"nil map", failure("11101", "doBizProcess panic, err: assignment to entry in nil map"), update, []string{"first limit", "replaced"}},
		{"nil pointer", failure("11101", "doBizProcess panic, err: runtime error: invalid memory address or nil pointer dereference"), create, []string{"Kuscia crashed", "log"}},
		{"nil map of another object", failure("11101", "doBizProcess panic, err: assignment to entry in nil map"), create, []string{"Kuscia crashed", "log"}},
		{"unexpected", failure("11101", "EOF"), query, []string{"EOF", "log"}},
		{"too large", failure("11600", "etcdserver: request is too large"), create, []string{"1.5 MB", "serving_input_config"}},
		{"too large for the API server", failure("11600", "Request entity too large: limit is 3145728"), create, []string{"1.5 MB"}},
		{"too large for a gateway", status(413, "no"), create, []string{"1.5 MB"}},
		{"P2P", failure("11100", "initiator must be alice in P2P"), create, []string{"alice", "autonomy"}},
		{"exists", failure("11600", `serving "cross-domain/glm" already exists, please ensure that the name is not duplicated`), create, []string{"Import"}},
		{"leftover", failure("11600", `k8s deployment "cross-domain/glm" of sub resources for serving already exists, x`), create, []string{"being removed"}},
		{"conflict", failure("11603", "the object has been modified"), update, []string{"same time"}},
		{"image gone", failure("11601", `can not get appimage sf from cluster, appimages.kuscia.secretflow "sf" not found`), query, []string{"sf", "app image"}},
		{"role", failure("11601", "can not get deploy template from appimage &{...}"), query, []string{"role", "deploy template"}},
		{"etcd", failure("11600", "etcdserver: request timed out"), create, []string{"etcd"}},
	}
	for _, c := range cases {
		client := newTestClient(t, &faultServer{fault: c.fault, times: -1}, func(c *Config) { c.MaxRetries = 0 })
		client.api.Backoff.ConflictTimeout, client.api.Backoff.PendingDeletionTimeout = 0, 0
		err := c.call(client)
		text := fmt.Sprintf("%v\n%s", err, Hint(fmt.Errorf("unable to create: %w", err)))
		for _, part := range c.parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in\n%s", c.name, part, text)
			}
		}
	}
	for _, err := range []error{nil, errors.New("x"), &ConfigError{Field: "Token", Problem: "y"}, &Error{Op: "x"}} {
		if hint := Hint(err); hint != "" {
			t.Errorf("%v: %q", err, hint)
		}
	}
}

func TestHintUnknownHost(t *testing.T) {
	client := newClientFor(t, "http://kuscia-that-does-not-exist.invalid:8082", func(c *Config) { c.MaxRetries = 0 })
	_, err := client.QueryServing(t.Context(), "glm")
	if !errors.Is(err, ErrUnavailable) || Hint(err) == "" || apierror.OutcomeUnknown(err) {
		t.Errorf("%v, hint %q", err, Hint(err))
	}
}

func TestHintProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer proxy.Close()
	address, _ := url.Parse(proxy.URL)
	for _, endpoint := range []string{"https://kuscia.invalid:8082", "http://kuscia.invalid:8082"} {
		client := newClientFor(t, endpoint, func(c *Config) { c.MaxRetries = 0 })
		transport, ok := client.api.HTTP().Transport.(*http.Transport)
		if !ok {
			t.Fatal("another transport")
		}
		transport.Proxy = http.ProxyURL(address)
		err := client.CreateServing(t.Context(), &CreateServingRequest{ServingID: "glm"})
		if err == nil || !strings.Contains(Hint(err), "NO_PROXY") || apierror.OutcomeUnknown(err) {
			t.Errorf("%s: %v, hint %q", endpoint, err, Hint(err))
		}
	}
}

// TestHintsForEachCause: every cause has a hint.
func TestHintsForEachCause(t *testing.T) {
	for _, c := range append(httpapi.Causes, causeNotAParty, causeMissingTemplate) {
		if _, ok := causeHints[c]; !ok {
			t.Errorf("cause %s has no hint", c)
		}
	}
}
