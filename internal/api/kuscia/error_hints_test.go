package kuscia

import (
	"net/http"
	"strings"
	"testing"
)

// TestObjectHints covers the hints for texts of a real server.
func TestObjectHints(t *testing.T) {
	for _, test := range []struct {
		name, code, message, want string
		call                      func(c *Client) error
	}{
		{"route to nobody", "11305", `domains.kuscia.secretflow "b" not found`, "does not exist. Create it first", func(c *Client) error {
			return c.CreateDomainRoute(t.Context(), &DomainRoute{Source: "a", Destination: "b"})
		}},
		{"route taken", "11405", `clusterdomainroutes.kuscia.secretflow "a-b" already exists`, "cannot both exist", func(c *Client) error {
			return c.CreateDomainRoute(t.Context(), &DomainRoute{Source: "a", Destination: "b"})
		}},
		{"route that crashes", "11101", "doBizProcess panic, err: runtime error: invalid memory address or nil pointer dereference", "has no mtls_config", func(c *Client) error {
			_, err := c.QueryDomainRoute(t.Context(), DomainRouteKey{Source: "a", Destination: "b"})
			return err
		}},
		{"data without a source", "11806", "domain data source `default-data-source` is not exists in domain `a`", "on its first start", func(c *Client) error {
			_, err := c.CreateDomainData(t.Context(), &DomainDataRequest{DomainID: "a"})
			return err
		}},
		{"data source at a master", "11100", "master's kuscia api can't operate domain data source", "provider alias", func(c *Client) error {
			return c.DeleteDomainDataSource(t.Context(), DomainDataSourceKey{DomainID: "a", DataSourceID: "s"})
		}},
		{"data source of others", "11808", "domain a can't operate domain b data source", "node of another domain", func(c *Client) error {
			_, err := c.ListDomainDataSources(t.Context(), "b")
			return err
		}},
		{"data source without information", "11802", "unexpected end of JSON input", "the configuration entry of its info_key", func(c *Client) error {
			_, err := c.QueryDomainDataSource(t.Context(), DomainDataSourceKey{DomainID: "a", DataSourceID: "s"})
			return err
		}},
		{"grant of nothing", "11100", "domaindata [x] not exists", "has no such data", func(c *Client) error {
			_, err := c.CreateDomainDataGrant(t.Context(), &DomainDataGrantRequest{DomainID: "a", DomainDataID: "x"})
			return err
		}},
	} {
		client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(failureResponse(test.code, test.message)))
		}), func(c *Config) { c.MaxRetries = 0 })
		if hint := Hint(test.call(client)); !strings.Contains(hint, test.want) {
			t.Errorf("%s: hint %q", test.name, hint)
		}
	}
}
