package kuscia

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

const plantedSecret = "pl4nted-object-secret"

// secretCall is a call with secrets in its request or response, and the response.
type secretCall struct {
	response string
	call     func(ctx context.Context, c *Client) error
}

// secretCalls are those in the tests of their object (addSecretCall).
var secretCalls = map[string]secretCall{}

func addSecretCall(name, response string, call func(ctx context.Context, c *Client) error) {
	secretCalls[name] = secretCall{response, call}
}

// TestNoSecretOfObjectsIsShown uses secrets in requests and responses of data
// sources, routes, configuration, certificates and tokens, and searches for
// them in errors, hints and the log at trace level.
func TestNoSecretOfObjectsIsShown(t *testing.T) {
	info := &DataSourceInfo{
		OSS:      &OSSInfo{AccessKeyID: plantedSecret + "-1", AccessKeySecret: plantedSecret + "-2"},
		Database: &DatabaseInfo{Password: plantedSecret + "-3"},
		ODPS:     &ODPSInfo{AccessKeyID: plantedSecret + "-4", AccessKeySecret: plantedSecret + "-5"},
	}
	source := &DomainDataSourceRequest{DomainID: "alice", DataSourceID: "s", Type: DataSourceOSS, Info: info}
	calls := map[string]secretCall{
		"create data source": {`{"data":{"datasource_id":"s"},"status":{"code":0}}`, func(ctx context.Context, c *Client) error {
			_, err := c.CreateDomainDataSource(ctx, source)
			return err
		}},
		"update data source": {successResponse, func(ctx context.Context, c *Client) error { return c.UpdateDomainDataSource(ctx, source) }},
		"query data source": {
			`{"status":{"code":0},"data":{"domain_id":"alice","datasource_id":"s","info":{"oss":{"access_key_id":"` + plantedSecret + `","access_key_secret":"` + plantedSecret + `"},"database":{"password":"` + plantedSecret + `"}}}}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.QueryDomainDataSource(ctx, DomainDataSourceKey{DomainID: "alice", DataSourceID: "s"})
				return err
			},
		},
		"create route": {successResponse, func(ctx context.Context, c *Client) error {
			return c.CreateDomainRoute(ctx, &DomainRoute{Source: "a", Destination: "b", MTLSConfig: &RouteMTLSConfig{SourceClientPrivateKey: plantedSecret}})
		}},
		"query route": {
			`{"status":{"code":0},"data":{"source":"a","destination":"b","mtls_config":{"source_client_private_key":"` + plantedSecret + `"}}}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.QueryDomainRoute(ctx, DomainRouteKey{Source: "a", Destination: "b"})
				return err
			},
		},
		"create configuration": {successResponse, func(ctx context.Context, c *Client) error {
			return c.CreateConfig(ctx, ConfigEntry{Key: "k", Value: plantedSecret})
		}},
		"update configuration": {successResponse, func(ctx context.Context, c *Client) error {
			return c.UpdateConfig(ctx, ConfigEntry{Key: "k", Value: plantedSecret})
		}},
		"query configuration": {
			`{"status":{"code":0},"key":"k","value":"` + plantedSecret + `"}`,
			func(ctx context.Context, c *Client) error { _, err := c.QueryConfig(ctx, "k"); return err },
		},
		"batch query configuration": {
			`{"status":{"code":0},"data":[{"key":"k","value":"` + plantedSecret + `"}]}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.BatchQueryConfig(ctx, []string{"k"})
				return err
			},
		},
		"certificate": {
			`{"status":{"code":0},"key":"` + plantedSecret + `","cert_chain":["x"]}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.GenerateCertificate(ctx, &GenerateCertificateRequest{CommonName: "n"})
				return err
			},
		},
	}
	maps.Copy(calls, secretCalls)
	echoes := map[string]http.HandlerFunc{
		"nothing": nil,
		"the request as text": echo(200, func(_ *http.Request, body string) string {
			return failureResponse("11800", "cannot store "+body)
		}),
		"a page": echo(502, func(_ *http.Request, body string) string { return "<html>" + body + "</html>" }),
	}
	for callName, test := range calls {
		for echoName, handler := range echoes {
			if handler == nil {
				handler = echo(200, func(*http.Request, string) string { return test.response })
			}
			client := newTestClient(t, handler, func(c *Config) { c.MaxRetries = 0 })
			var output bytes.Buffer
			err := test.call(tflogtest.RootLogger(t.Context(), &output), client)
			if echoName == "nothing" && err != nil {
				t.Errorf("%s: %v", callName, err)
			}
			text := output.String()
			if err != nil {
				text += fmt.Sprintf("%v %+v %q %s", err, err, err.Error(), Hint(err))
			}
			if at := strings.Index(text, plantedSecret); at >= 0 {
				t.Errorf("%s, server echoes %s: shown: …%s…", callName, echoName, text[max(0, at-200):min(len(text), at+60)])
			}
			if !strings.Contains(text, `"@message":"KusciaAPI call"`) {
				t.Errorf("%s: the log has no line", callName)
			}
		}
	}
}
