package faulttest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/apicalls"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// asked is a request, with the values of its headers.
type asked struct{ api, path, headers, body string }

func read(api string, r *http.Request) asked {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		all = append(all, strings.Join(r.Header[name], " "))
		// A credential without its scheme.
		_, rest, _ := strings.Cut(r.Header.Get(name), " ")
		all = append(all, rest)
	}
	body, _ := io.ReadAll(r.Body)
	return asked{api, r.URL.Path, strings.Join(all, " "), string(body)}
}

// stored is a secret that only the server knows.
var stored = `"` + inJSON(apicalls.Secret("stored")) + `"`

// object is the successful answer to a request, with a secret in each field that may have one.
func (a asked) object() string {
	env := `[{"name":"A","value":` + stored + `}]`
	command := `"command":["run",` + stored + `],"args":[` + stored + `]`
	switch {
	case a.api == "kube" && strings.HasSuffix(a.path, "/deployments"):
		return `{"kind":"DeploymentList","items":[{"spec":{"template":{"spec":{"containers":[{` + command + `,"env":` + env + `}]}}}}]}`
	case a.api == "kube":
		return `{"kind":"KusciaDeployment","metadata":{"name":"kd","namespace":"cross-domain","annotations":{"kubectl.kubernetes.io/last-applied-configuration":` + stored +
			`}},"spec":{"inputConfig":` + stored + `,"configTemplates":{"a.conf":` + stored + `},"requestHeadersToAdd":[{"name":"A","value":` + stored + `}],"mTLSConfig":{"sourceClientPrivateKey":` + stored +
			`}},"data":{"a":` + stored + `},"stringData":{"a":` + stored + `},"binaryData":{"a":` + stored + `}}`
	case a.api == "ief":
		one := `"id":"d","template":{"containers":[{` + command + `,"liveness_probe":{"exec_command":[` + stored + `]},"envs":` + env + `}]}`
		return `{` + one + `,"deployment":{` + one + `,"instances":[]},"deployments":[{` + one + `}],"pods":[{"containers":[{"envs":` + env + `}]}]}`
	case strings.HasSuffix(a.path, "config/query"):
		return `{"status":{"code":0},"key":"k","value":` + stored + `}`
	case strings.HasSuffix(a.path, "config/batchQuery"):
		return `{"status":{"code":0},"data":[{"key":"k","value":` + stored + `}]}`
	case strings.HasSuffix(a.path, "certificate/generate"):
		return `{"status":{"code":0},"key":` + stored + `,"cert_chain":["x"]}`
	}
	one := `"name":"sf","config_templates":{"a.conf":` + stored + `},"deploy_templates":[{"containers":[{` + command + `,"env":` + env + `}]}],"custom_headers":{"A":` + stored + `}`
	return `{"status":{"code":0},"data":{` + one + `,"appimage_list":[{` + one + `}],"initiator":"alice","parties":[],"serving_input_config":` + stored +
		`,"servings":[],"domain_id":"a","deploy_token_statuses":[{"token":` + stored + `}],"datasource_id":"s","info":{"oss":{"access_key_id":` + stored +
		`},"database":{"password":` + stored + `}},"source":"a","destination":"b","mtls_config":{"source_client_private_key":` + stored + `}}}`
}

// answer answers a request.
type answer func(w http.ResponseWriter, r *http.Request, a asked)

// body is an answer with HTTP status 200.
func body(of func(a asked) string) answer {
	return func(w http.ResponseWriter, _ *http.Request, a asked) { _, _ = io.WriteString(w, of(a)) }
}

// broken is an answer that is not HTTP: a text, or a reset for none.
func broken(w http.ResponseWriter, text string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	must(err)
	if text == "" {
		must(conn.(*net.TCPConn).SetLinger(0))
	}
	_, _ = io.WriteString(conn, text)
	_ = conn.Close()
}

// answers are those to a call: without its secrets, with the request, and with all that was received and each secret
// of the call in each place of a response and in each spelling.
func answers(t *testing.T, c apicalls.Call) map[string]answer {
	t.Helper()
	all := map[string]answer{
		"success":                body(func(asked) string { return `{"status":{"code":0,"message":"success","details":[]}}` }),
		"an object":              body(asked.object),
		"an object, cut":         body(func(a asked) string { return strings.TrimRight(a.object(), "}]") }),
		"an object, wrong types": body(func(a asked) string { return strings.ReplaceAll(a.object(), stored, `{"a":`+stored+`}`) }),
		"the request, as is":     body(func(a asked) string { return a.body }),
		"the request, cut":       body(func(a asked) string { return a.body[:len(a.body)/2] }),
		"reset":                  func(w http.ResponseWriter, _ *http.Request, _ asked) { broken(w, "") },
		"time-out":               func(_ http.ResponseWriter, r *http.Request, _ asked) { <-r.Context().Done() },
	}
	secrets := slices.Concat(c.Sent, c.Known)
	for form, spell := range short.Sample(t, 4, spellings) {
		for place, say := range places {
			all[place+" with "+form] = func(w http.ResponseWriter, _ *http.Request, a asked) {
				say(w, a.api, spell(a.headers+" "+strings.Join(secrets, " ")+" "+a.body))
			}
		}
		// A longer text is not shown.
		for i, secret := range secrets {
			all[fmt.Sprintf("short 401 with %s of secret %d", form, i)] = func(w http.ResponseWriter, _ *http.Request, a asked) {
				places["401"](w, a.api, "wrong token "+spell(secret))
			}
		}
	}
	return all
}

// places are the places of a response for a text. Those that are never shown have a secret of the server too.
var places = map[string]func(w http.ResponseWriter, api, text string){
	"failure": func(w http.ResponseWriter, api, text string) {
		status, body := map[string]int{"kuscia": 200, "kube": 422, "ief": 400}[api], map[string]any{
			"kuscia": map[string]any{"status": map[string]any{"code": 11600, "message": text, "details": []any{}}, "data": nil},
			"kube": map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422, "message": text,
				"details": map[string]any{"name": text, "causes": []any{map[string]any{"reason": "FieldValueInvalid", "message": text, "field": text}}}},
			"ief": map[string]any{"error_code": "IEF.0001", "error_msg": text},
		}[api]
		w.WriteHeader(status)
		must(json.NewEncoder(w).Encode(body))
	},
	"data": func(w http.ResponseWriter, _, text string) {
		must(json.NewEncoder(w).Encode(map[string]any{
			"x": text, "kind": text, "metadata": map[string]any{"name": text}, "status": map[string]any{"code": 0, "message": text},
		}))
	},
	"401": func(w http.ResponseWriter, _, text string) { w.WriteHeader(401); _, _ = io.WriteString(w, text) },
	"page": func(w http.ResponseWriter, _, text string) {
		w.WriteHeader(502)
		_, _ = io.WriteString(w, "<html>"+stored+text)
	},
	"broken JSON": func(w http.ResponseWriter, _, text string) {
		_, _ = io.WriteString(w, `{"status":{"message":`+stored+text)
	},
	"redirect": func(w http.ResponseWriter, _, text string) {
		w.Header().Set("Location", "https://h/?"+url.QueryEscape(stored)+text)
		w.WriteHeader(302)
	},
	"not HTTP": func(w http.ResponseWriter, _, text string) { broken(w, "HTTP "+stored+" "+text+"\r\n\r\n") },
}

// TestNoSecretIsShown: no secret is in an error, in its hint or in the log at TRACE, whatever it is, in
// whichever form a server returns what it has received, and wherever in its answer.
func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	for name, call := range apicalls.All(t.TempDir()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Nothing is sent without a credential.
			nothing := strings.Contains(name, "that fails") || strings.Contains(name, "text as a file")
			for at, answer := range answers(t, call) {
				var last atomic.Pointer[asked] // a request that is repeated may overlap the one before
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					request := read(call.API, r)
					last.Store(&request)
					answer(w, r, request)
				}))
				to := apicalls.Server{Address: server.URL, MaxRetries: 1}
				if at == "time-out" {
					to.Timeout = 30 * time.Millisecond
				}
				var log bytes.Buffer
				err := call.Do(tflogtest.RootLogger(t.Context(), &log), to)
				server.Close()
				shown := fmt.Sprintf("%v %+v %q %s", err, err, fmt.Sprint(err), apierror.Hint(err))
				var status *kube.StatusError
				if errors.As(err, &status) {
					shown += fmt.Sprintf("%+v", *status)
				}
				for where, text := range map[string]string{"error": shown, "log": log.String()} {
					for _, mark := range []string{apicalls.Mark, apicalls.Number} {
						if spelling, around := findSecret(text, mark); spelling != "" {
							t.Errorf("%s: the %s has a secret as %s: …%s…", at, where, spelling, around)
						}
					}
				}
				if !strings.Contains(log.String(), ` call"`) != strings.Contains(name, "text as a file") {
					t.Errorf("%s: the log has no line: %s", at, log.String())
				}
				if at == "time-out" {
					continue // it may end before the request is read
				}
				received := ""
				if request := last.Load(); request != nil {
					received = request.headers + request.body
				}
				if received == "" != nothing || at == "an object" && err != nil && !nothing {
					t.Errorf("%s: %v after %q", at, err, received)
				}
				for _, secret := range call.Sent {
					if spelling, _ := findSecret(received, secret); spelling == "" {
						t.Errorf("%s: %q is not sent: %s", at, secret, received)
					}
				}
			}
		})
	}
}
