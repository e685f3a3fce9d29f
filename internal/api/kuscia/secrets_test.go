package kuscia

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

const (
	secretConfig = `{"db":{"password":"pl4nted-pa\"ssword","list":["pl4nted-elem\nent"]}}`
	secretText   = "key: pl4nted-plain-secret\nother: x"
	secretHeader = "pl4nted-header"
	secretEnv    = "pl4nted-env"
	secretFile   = "pl4nted-template"
	secretValue  = "pl4nted-object-secret"
)

// planted are texts that no output may contain.
var planted = []string{testToken, "pl4nted", url.QueryEscape(testToken)}

// echo returns parts of the request, like a careless server or proxy.
func echo(code int, form func(r *http.Request, body string) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, form(r, string(body)))
	}
}

func configOf(body string) string {
	var request struct {
		Config string            `json:"serving_input_config"`
		Files  map[string]string `json:"config_templates"`
	}
	_ = json.Unmarshal([]byte(body), &request)
	return request.Config
}

// TestNoSecretIsShown uses secrets in every place and searches for them in the
// errors, the hints and the log at trace level, after success and after
// failures that repeat the request.
func TestNoSecretIsShown(t *testing.T) {
	envelopeOf := func(message func(r *http.Request, body string) string) func(*http.Request, string) string {
		return func(r *http.Request, body string) string { return failureResponse("11600", message(r, body)) }
	}
	servers := map[string]http.HandlerFunc{
		"success": echo(200, func(*http.Request, string) string { return successResponse }),
		"a query's answer": echo(200, func(r *http.Request, _ string) string {
			if answer, ok := map[string]string{
				"config/query": `"key":"k","value":"` + secretValue + `"`, "config/batchQuery": `"data":[{"key":"k","value":"` + secretValue + `"}]`,
				"certificate/generate": `"key":"` + secretValue + `","cert_chain":["x"]`,
			}[strings.TrimPrefix(r.URL.Path, "/api/v1/")]; ok {
				return `{"status":{"code":0},` + answer + `}`
			}
			return `{"status":{"code":0},"data":{"name":"sf","initiator":"alice","parties":[],"serving_input_config":` + quoteJSON(secretConfig) +
				`,"config_templates":{"a.conf":"` + secretFile + `"},"deploy_templates":[{"containers":[{"env":[{"name":"A","value":"` + secretEnv + `"}]}]}],` +
				`"domain_id":"a","deploy_token_statuses":[{"token":"` + secretValue + `"}],` +
				`"datasource_id":"s","info":{"oss":{"access_key_id":"` + secretValue + `"},"database":{"password":"` + secretValue + `"}},` +
				`"source":"a","destination":"b","mtls_config":{"source_client_private_key":"` + secretValue + `"}}}`
		}),
		"cut-off answer": echo(200, func(*http.Request, string) string {
			return `{"status":{"code":0},"data":{"serving_input_config":` + quoteJSON(secretConfig)
		}),
		"wrong type in the answer": echo(200, func(*http.Request, string) string {
			return `{"status":{"code":0},"data":{"serving_input_config":{"a":"` + secretFile + `"}}}`
		}),
		"the config, encoded": echo(200, envelopeOf(func(_ *http.Request, body string) string { return "bad " + quoteJSON(configOf(body)) })),
		"a line of the config": echo(200, envelopeOf(func(_ *http.Request, body string) string {
			return "bad line " + strings.SplitN(configOf(body)+"\n", "\n", 2)[0]
		})),
		"the request as text": echo(200, envelopeOf(func(_ *http.Request, body string) string { return "cannot store " + body })),
		"the token":           echo(200, envelopeOf(func(r *http.Request, _ string) string { return "token " + r.Header.Get("Token") + " is odd" })),
		"401 with the token":  echo(401, func(r *http.Request, _ string) string { return "wrong token " + r.Header.Get("Token") }),
		"502 page": echo(502, func(r *http.Request, body string) string {
			return "<html>" + r.Header.Get("Token") + body + "</html>"
		}),
		"the request, as is": echo(200, func(_ *http.Request, body string) string { return body }),
		"the request, cut":   echo(200, func(_ *http.Request, body string) string { return body[:len(body)/2] }),
		"redirect with a token": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://x.example/?t="+testToken, http.StatusFound)
		},
		"not HTTP": func(w http.ResponseWriter, r *http.Request) {
			conn, buffer, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			_, _ = buffer.WriteString(r.Header.Get("Token") + " " + secretConfig + "\r\n\r\n")
			_ = buffer.Flush()
			_ = conn.Close()
		},
		"reset": func(w http.ResponseWriter, _ *http.Request) { reset(w) },
		"time-out": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		},
	}
	calls := map[string]func(context.Context, *Client) error{
		"create": func(ctx context.Context, c *Client) error {
			return c.CreateServing(ctx, &CreateServingRequest{ServingID: "glm", ServingInputConfig: secretConfig})
		},
		"update": func(ctx context.Context, c *Client) error {
			return c.UpdateServing(ctx, &UpdateServingRequest{ServingID: "glm", ServingInputConfig: secretText})
		},
		"query": func(ctx context.Context, c *Client) error { _, err := c.QueryServing(ctx, "glm"); return err },
		"app image": func(ctx context.Context, c *Client) error {
			return c.CreateAppImage(ctx, &AppImage{Name: "sf", ConfigTemplates: map[string]string{"a.conf": "x"}, DeployTemplates: []DeployTemplate{{
				Containers: []Container{{Env: []EnvVar{{Name: "A", Value: "visible"}, {Name: "B"}}}},
			}}})
		},
		"app image query": func(ctx context.Context, c *Client) error { _, err := c.QueryAppImage(ctx, "sf"); return err },
		"create data source": func(ctx context.Context, c *Client) error {
			_, err := c.CreateDomainDataSource(ctx, &DomainDataSourceRequest{DomainID: "alice", DataSourceID: "s", Type: DataSourceOSS, Info: &DataSourceInfo{
				OSS:      &OSSInfo{AccessKeyID: secretValue + "-1", AccessKeySecret: secretValue + "-2"},
				Database: &DatabaseInfo{Password: secretValue + "-3"},
				ODPS:     &ODPSInfo{AccessKeyID: secretValue + "-4", AccessKeySecret: secretValue + "-5"},
			}})
			return err
		},
		"query data source": func(ctx context.Context, c *Client) error {
			_, err := c.QueryDomainDataSource(ctx, DomainDataSourceKey{DomainID: "a", DataSourceID: "s"})
			return err
		},
		"create route": func(ctx context.Context, c *Client) error {
			return c.CreateDomainRoute(ctx, &DomainRoute{Source: "a", Destination: "b", MTLSConfig: &RouteMTLSConfig{SourceClientPrivateKey: secretValue}})
		},
		"query route": func(ctx context.Context, c *Client) error {
			_, err := c.QueryDomainRoute(ctx, DomainRouteKey{Source: "a", Destination: "b"})
			return err
		},
		"update configuration": func(ctx context.Context, c *Client) error {
			return c.UpdateConfig(ctx, ConfigEntry{Key: "k", Value: secretValue})
		},
		"query configuration": func(ctx context.Context, c *Client) error { _, err := c.QueryConfig(ctx, "k"); return err },
		"batch query configuration": func(ctx context.Context, c *Client) error {
			_, err := c.BatchQueryConfig(ctx, []string{"k"})
			return err
		},
		"certificate": func(ctx context.Context, c *Client) error {
			_, err := c.GenerateCertificate(ctx, &GenerateCertificateRequest{CommonName: "n"})
			return err
		},
		"query domain": func(ctx context.Context, c *Client) error { _, err := c.QueryDomain(ctx, "a"); return err },
		"version":      func(ctx context.Context, c *Client) error { _, err := c.Version(ctx); return err },
	}
	for serverName, handler := range servers {
		t.Run(serverName, func(t *testing.T) {
			t.Parallel()
			for callName, call := range calls {
				client := newTestClient(t, handler, func(c *Config) {
					c.MaxRetries = 1
					c.RequestTimeout = 2 * time.Second
					c.CustomHeaders = map[string]string{"X-Secret": secretHeader}
					if serverName == "time-out" {
						c.RequestTimeout = 30 * time.Millisecond
					}
				})
				var output bytes.Buffer
				err := call(tflogtest.RootLogger(t.Context(), &output), client)
				text := output.String()
				if err != nil {
					text += fmt.Sprintf("%v %+v %q %s", err, err, err.Error(), Hint(err))
				}
				for _, secret := range planted {
					if at := strings.Index(text, secret); at >= 0 {
						t.Errorf("%s: %q is shown: …%s…", callName, secret, text[max(0, at-200):min(len(text), at+100)])
					}
				}
				if !strings.Contains(output.String(), `"@message":"KusciaAPI call"`) {
					t.Errorf("%s: the log has no line: %s", callName, output.String())
				}
			}
		})
	}
}

// TestLog: the log has one line per attempt at debug level, and the bodies at
// trace level with masked secrets.
func TestLog(t *testing.T) {
	server := &faultServer{fault: status(503, ""), times: 1, good: servingResponse}
	client := newTestClient(t, server)
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &output)
	if _, err := client.QueryServing(ctx, "glm"); err != nil {
		t.Fatal(err)
	}
	lines, err := tflogtest.MultilineJSONDecode(&output)
	if err != nil {
		t.Fatal(err)
	}
	var tries, bodies int
	for _, line := range lines {
		if line["@module"] != "provider.kusciaapi" {
			t.Errorf("%v is not of the subsystem", line)
		}
		switch line["@message"] {
		case "KusciaAPI call":
			tries++
			if line["@level"] != "debug" || line["operation"] != "serving/query" || line["id"] != "glm" || line["attempt"] != float64(tries) ||
				line["code"] != "" || line["duration_ms"] == nil {
				t.Errorf("%v", line)
			}
			if _, waits := line["retry_in_ms"]; waits != (tries == 1) {
				t.Errorf("%v", line)
			}
		case "KusciaAPI request body", "KusciaAPI response body":
			bodies++
			if line["@level"] != "trace" {
				t.Errorf("%v", line)
			}
		}
	}
	// One line for the request, and one for each response with a body.
	if tries != 2 || bodies != 3 {
		t.Errorf("%d attempts, %d bodies: %v", tries, bodies, lines)
	}
}

// TestNoBodiesBelowTrace: below trace level, bodies are not even formatted.
func TestNoBodiesBelowTrace(t *testing.T) {
	t.Setenv("TF_LOG_PROVIDER_KUSCIA_KUSCIAAPI", "DEBUG")
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &output)
	client := newTestClient(t, &faultServer{good: servingResponse})
	if _, err := client.QueryServing(ctx, "glm"); err != nil {
		t.Fatal(err)
	}
	if text := output.String(); strings.Contains(text, "body") || !strings.Contains(text, "KusciaAPI call") {
		t.Errorf("%s", text)
	}
}
