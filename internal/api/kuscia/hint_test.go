package kuscia

import (
	"errors"
	"fmt"
	"strings"
	"testing"
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
	route := func(c *Client) error {
		return c.CreateDomainRoute(t.Context(), &DomainRoute{Source: "a", Destination: "b"})
	}
	data := func(c *Client) error {
		_, err := c.CreateDomainData(t.Context(), &DomainDataRequest{DomainID: "a"})
		return err
	}
	source := func(c *Client) error {
		_, err := c.QueryDomainDataSource(t.Context(), DomainDataSourceKey{DomainID: "a", DataSourceID: "s"})
		return err
	}
	sourceChange := func(c *Client) error {
		return c.DeleteDomainDataSource(t.Context(), DomainDataSourceKey{DomainID: "a", DataSourceID: "s"})
	}
	sources := func(c *Client) error {
		_, err := c.ListDomainDataSources(t.Context(), "a")
		return err
	}
	grant := func(c *Client) error {
		_, err := c.CreateDomainDataGrant(t.Context(), &DomainDataGrantRequest{DomainID: "a", DomainDataID: "x"})
		return err
	}
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
		{"code in words", status(200, `{"status":{"code":"none"}}`), query, []string{"status.code is a JSON string"}},
		{"lite", failure("11104", "lite api not support"), image, []string{"code 11104", "lite node", "master"}},
		{"no party", failure("11102", "domain's kuscia api could only handle"), create, []string{"11102", "not a party", "initiator"}},
		{"not found for others", failure("11601", "serving not found"), query, []string{"not a party"}},
		{"nil map", failure("11101", "doBizProcess panic, err: assignment to entry in nil map"), update, []string{"first limit", "replaced"}},
		{"nil pointer", failure("11101", "doBizProcess panic, err: runtime error: invalid memory address or nil pointer dereference"), create, []string{"Kuscia crashed", "log"}},
		{"too large", failure("11600", "etcdserver: request is too large"), create, []string{"1.5 MB", "serving_input_config"}},
		{"too large for the API server", failure("11600", "Request entity too large: limit is 3145728"), create, []string{"1.5 MB"}},
		{"too large for a gateway", status(413, "no"), create, []string{"1.5 MB"}},
		{"master", failure("11105", "no"), query, []string{"11105", "master"}},
		{"leftover", failure("11600", `k8s deployment "cross-domain/glm" of sub resources for serving already exists, x`), create, []string{"being removed"}},
		{"conflict", failure("11603", "the object has been modified"), update, []string{"same time"}},
		{"proxy", status(407, ""), query, []string{"NO_PROXY"}},
		{"route to nobody", failure("11305", `domains.kuscia.secretflow "b" not found`), route, []string{"does not exist. Create it first"}},
		{"route taken", failure("11405", `clusterdomainroutes.kuscia.secretflow "a-b" already exists`), route, []string{"cannot both exist"}},
		{"data without a source", failure("11806", "domain data source `default-data-source` is not exists in domain `a`"), data, []string{"on its first start"}},
		{"data source at a master", failure("11100", "master's kuscia api can't operate domain data source"), sourceChange, []string{"A master cannot change data sources. Use the endpoint", "provider alias"}},
		{"data source at an old master", failure("11802", "master's kuscia api can't operate domain data source"), source, []string{"through the master needs Kuscia v0.9 or later", "provider alias"}},
		{"no list of data sources", status(404, "404 page not found"), sources, []string{"needs Kuscia v0.9 or later", "without a wrong path"}},
		{"a crash before v0.10", status(200, `{"code":12101,"message":"doBizProcess panic, err: runtime error: invalid memory address or nil pointer dereference"}`), query, []string{"code 12101", "Kuscia crashed"}},
		{"data source of others", failure("11802", "domain a can't operate domain b data source"), source, []string{"node of another domain"}},
		{"data source without information", failure("11802", "unexpected end of JSON input"), source, []string{"the configuration entry of its info_key"}},
		{"grant of nothing", failure("11100", "domaindata [x] not exists"), grant, []string{"has no such data"}},
		{"role", failure("11601", "can not get deploy template from appimage &{...}"), query, []string{"role", "deploy template"}},
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

// TestHintOrder: a hint for an operation comes before one for all of them.
func TestHintOrder(t *testing.T) {
	always := func(*Error) bool { return true }
	var hints errorHints
	hints.add(errorHint{"", always, "general"}, errorHint{"serving/", always, "special"})
	if got := hints.find(&Error{Op: "serving/query"}); got != "special" {
		t.Errorf("the hint is %s", got)
	}
}
