package faulttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// aSecret differs in each spelling.
func aSecret(name string) string { return "Pl4nted-" + name + `/"q\uote+t&o?` }

// secretCall is a call with a secret.
type secretCall struct {
	api    string
	secret string
	call   func(ctx context.Context, address string) error
}

func iefCalls() map[string]secretCall {
	with := func(change func(*ief.Config)) func(context.Context, string) error {
		return func(ctx context.Context, address string) error {
			config := ief.Config{Endpoint: address, ProjectID: "p"}
			change(&config)
			client, err := ief.New(config)
			must(err)
			_, err = client.Get(ctx, ief.Scope{Version: ief.V3}, "d")
			return err
		}
	}
	keys := func(access, secret, token string) func(*ief.Config) {
		return func(c *ief.Config) { c.AccessKey, c.SecretKey, c.SecurityToken = access, secret, token }
	}
	return map[string]secretCall{
		"token":          {"ief", aSecret("token"), with(func(c *ief.Config) { c.Token = aSecret("token") })},
		"access key":     {"ief", aSecret("access"), with(keys(aSecret("access"), "other", ""))},
		"secret key":     {"ief", aSecret("secret"), with(keys("other", aSecret("secret"), ""))},
		"security token": {"ief", aSecret("security"), with(keys("other", "other", aSecret("security")))},
	}
}

// kubeconfigText is a kubeconfig with one cluster and one user.
func kubeconfigText(cluster, user string) string {
	return "current-context: x\nclusters: [{name: c, cluster: {" + cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
}

// kubeCalls are calls with all credentials of a kubeconfig, and files in a folder.
func kubeCalls(dir string) map[string]secretCall {
	read := func(ctx context.Context, config kube.Config) error {
		client, err := kube.New(config)
		if err != nil {
			return err
		}
		_, err = client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, "kd")
		return err
	}
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		must(os.WriteFile(path, []byte(content), 0o700))
		return path
	}
	kubeconfig := func(name, cluster, user string) string { return write(name, kubeconfigText(cluster, user)) }
	user := func(name, user string) func(context.Context, string) error {
		return func(ctx context.Context, address string) error {
			return read(ctx, kube.Config{ConfigPath: kubeconfig(name, `server: "`+address+`"`, user)})
		}
	}
	// Characters that a program's output and a YAML text need no escapes for.
	plain := func(name string) string { return "Pl4nted-" + name + "/quote+to=" }
	credential := write("credential", `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"`+plain("exec")+`"}}`)
	exec := `exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: cat, args: ["` + credential + `"], env: [{name: K, value: "` + plain("env") + `"}]}`
	failing := `exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: "` + write("failing", "#!/bin/sh\nprintf '%s' \"$K $*\" | tee /dev/stderr\nexit 1\n") +
		`", args: ["` + plain("argument") + `"], env: [{name: K, value: "` + plain("failing") + `"}]}`
	secretText := aSecret("text")
	return map[string]secretCall{
		"token": {"kube", aSecret("token"), func(ctx context.Context, address string) error {
			return read(ctx, kube.Config{Host: address, Token: aSecret("token")})
		}},
		"token of a kubeconfig":              {"kube", plain("kubeconfig"), user("1", `token: "`+plain("kubeconfig")+`"`)},
		"token file":                         {"kube", plain("file"), user("2", `tokenFile: "`+write("token", plain("file")+"\n")+`"`)},
		"password":                           {"kube", plain("password"), user("3", `username: u, password: "`+plain("password")+`"`)},
		"token of a plugin":                  {"kube", plain("exec"), user("4", exec)},
		"environment of a plugin":            {"kube", plain("env"), user("5", exec)},
		"environment of a plugin that fails": {"kube", plain("failing"), user("6", failing)},
		"arguments of a plugin that fails":   {"kube", plain("argument"), user("7", failing)},
		"password of a proxy": {"kube", "Pl4nted-proxy-quote", func(ctx context.Context, address string) error {
			proxy := strings.Replace(address, "://", "://u:Pl4nted-proxy-quote@", 1)
			return read(ctx, kube.Config{ConfigPath: kubeconfig("8", `server: "http://127.0.0.1:1", proxy-url: "`+proxy+`"`, "")})
		}},
		"text as a file of a kubeconfig": {"kube", plain("path"), user("9", `tokenFile: "`+plain("path")+`"`)},
		"text of a configuration": {"kube", secretText, func(ctx context.Context, address string) error {
			client, err := kube.New(kube.Config{Host: address})
			must(err)
			_, err = client.Create(httpapi.WithMaskedText(ctx, secretText), kube.KusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
				"metadata": map[string]any{"name": "kd", "namespace": kube.CrossDomain}, "spec": map[string]any{"inputConfig": secretText},
			}})
			return err
		}},
	}
}

// received is what a request contains: headers and the body.
func received(r *http.Request) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		all = append(all, strings.Join(r.Header[name], " "))
		// A credential without its scheme.
		_, rest, _ := strings.Cut(r.Header.Get(name), " ")
		all = append(all, rest)
	}
	body, _ := io.ReadAll(r.Body)
	return strings.Join(append(all, string(body)), " ")
}

// answers are the places of a response for a text.
var answers = map[string]func(w http.ResponseWriter, api, text string){
	"failure": func(w http.ResponseWriter, api, text string) {
		status, body := map[string]int{"kube": 422, "ief": 400}[api], map[string]any{
			"kube": map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422, "message": text,
				"details": map[string]any{"name": text, "causes": []any{map[string]any{"reason": "FieldValueInvalid", "message": text, "field": text}}}},
			"ief": map[string]any{"error_code": "IEF.0001", "error_msg": text},
		}[api]
		w.WriteHeader(status)
		must(json.NewEncoder(w).Encode(body))
	},
	"data": func(w http.ResponseWriter, _, text string) {
		must(json.NewEncoder(w).Encode(map[string]any{"x": text, "kind": text, "metadata": map[string]any{"name": text}}))
	},
	"401": func(w http.ResponseWriter, _, text string) { w.WriteHeader(401); _, _ = io.WriteString(w, text) },
	"page": func(w http.ResponseWriter, _, text string) {
		w.WriteHeader(502)
		_, _ = io.WriteString(w, "<html>"+text)
	},
	"broken JSON": func(w http.ResponseWriter, _, text string) { _, _ = io.WriteString(w, `{"status":{"message":"`+text) },
	"redirect": func(w http.ResponseWriter, _, text string) {
		w.Header().Set("Location", "https://h/?"+text)
		w.WriteHeader(302)
	},
}

// TestSecretMatrix: no secret is in an error, in its hint or in the log at TRACE,
// whatever it is, in whichever form a cluster or IEF returns what it has received, and wherever in its
// answer. For the KusciaAPI, TestNoSecretIsShown of its client shows it.
func TestSecretMatrix(t *testing.T) {
	t.Parallel()
	calls := map[string]secretCall{}
	for _, of := range []map[string]secretCall{iefCalls(), kubeCalls(t.TempDir())} {
		for name, call := range of {
			calls[call.api+": "+name] = call
		}
	}
	for name, secret := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for form, spell := range spellings {
				for place, answer := range answers {
					var sent string
					server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						sent = received(r)
						answer(w, secret.api, spell(sent+" "+secret.secret))
					}))
					var log bytes.Buffer
					err := secret.call(tflogtest.RootLogger(t.Context(), &log), server.URL)
					server.Close()
					shown := fmt.Sprintf("%v %+v %q %s", err, err, fmt.Sprint(err), apierror.Hint(err))
					for where, text := range map[string]string{"error": shown, "log": log.String()} {
						if spelling, around := findSecret(text, secret.secret); spelling != "" {
							t.Errorf("%s, %s: the %s has it as %s: …%s…", form, place, where, spelling, around)
						}
					}
					if sent == "" != (strings.Contains(name, "that fails") || strings.Contains(name, "text as a file")) {
						t.Errorf("%s, %s: the server received %q", form, place, sent)
					}
				}
			}
		})
	}
}
