package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// Secrets in the input of the provider. None of them may appear in any output.
const (
	plantedToken  = "PlantedTokenPlantedTokenPlanted0"
	plantedHeader = "planted-header-value"
	plantedConfig = "planted-storage-key"
)

// providerBlock sets the token by a sensitive variable.
var providerBlock = acctest.Variable("token", map[string]any{"sensitive": true}) + acctest.ProviderBlock(map[string]any{"token": acctest.Reference("var.token")})

var configuration = acctest.RequiredProvider +
	acctest.AppImageBlock{Name: "main-test", Container: map[string]any{"ports": []any{
		map[string]any{"name": "service", "scope": "Domain"}, map[string]any{"name": "communication", "scope": "Cluster"},
	}}}.String() +
	acctest.Block("kuscia_serving", "test", map[string]any{
		"serving_id": "main-test", "initiator": "alice",
		"serving_input_config": acctest.Reference(`sensitive(jsonencode({ key = "` + plantedConfig + `" }))`),
		"parties":              acctest.Reference(`{ for d in ["alice", "bob"] : d => { app_image = kuscia_app_image.test.name } }`),
	})

// workspace is a folder with a configuration and a CLI that uses the built
// provider.
type workspace struct {
	cli, dir    string
	environment []string
}

func newWorkspace(t *testing.T, cli, plugins, config string, variables map[string]string) workspace {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), config)
	w := workspace{cli: cli, dir: dir, environment: append(acctest.BuiltProvider(t, plugins), "TF_LOG=TRACE")}
	for name, value := range variables {
		w.environment = append(w.environment, name+"="+value)
	}
	return w
}

// run runs the CLI and returns all output and logs.
func (w workspace) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.cli, args...)
	cmd.Dir, cmd.Env = w.dir, w.environment
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// TestAccProgram runs the program itself with a CLI with full logs: a serving
// is created, read and destroyed, the requests have token, user agent and
// custom headers, and no secret is in the output or in the logs.
func TestAccProgram(t *testing.T) {
	t.Parallel()
	cli := acctest.CLI(t)
	plugins := buildProvider(t)

	t.Run("everything works", func(t *testing.T) {
		t.Parallel()
		s := acctest.NewSandbox(t, sandbox.Options{}).Sandbox
		var headers atomic.Pointer[http.Header]
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			headers.Store(new(request.Header.Clone()))
			s.Handler().ServeHTTP(w, request)
		}))
		t.Cleanup(front.Close)
		w := newWorkspace(t, cli, plugins, configuration, map[string]string{
			"KUSCIA_ENDPOINT": front.URL, "KUSCIA_TOKEN": plantedToken, "KUSCIA_CUSTOM_HEADERS": `{"tenant": "` + plantedHeader + `"}`,
		})
		for _, args := range [][]string{
			{"apply", "-no-color", "-auto-approve"}, {"plan", "-no-color", "-detailed-exitcode"}, {"destroy", "-no-color", "-auto-approve"},
		} {
			output, err := w.run(t, args...)
			if err != nil {
				t.Fatalf("%s: %v\n%s", args[0], err, last(output))
			}
			if !strings.Contains(output, "provider configured") {
				t.Errorf("%s: the provider's log is not in the output, so the search for secrets proves nothing", args[0])
			}
			for _, build := range []string{"terraform-provider-kuscia/9.8.7", "commit=0123abc"} {
				if !strings.Contains(output, build) {
					t.Errorf("%s: the log does not contain the build: %s", args[0], build)
				}
			}
			noSecrets(t, args[0], output)
		}

		if sent := *headers.Load(); !strings.HasPrefix(sent.Get("User-Agent"), "terraform-provider-kuscia/9.8.7 (terraform ") || sent.Get("Token") != plantedToken {
			t.Errorf("the user agent is %q, or the token was not sent", sent.Get("User-Agent"))
		}
		for _, request := range s.Requests() {
			if request.Method == http.MethodPost && !strings.Contains(request.Body, `"custom_headers":{"tenant":"`+plantedHeader+`"}`) {
				t.Errorf("%s was sent without the custom headers", request.Op)
			}
		}
	})

	t.Run("wrong token", func(t *testing.T) {
		t.Parallel()
		s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
		w := newWorkspace(t, cli, plugins, configuration+providerBlock, map[string]string{
			"KUSCIA_ENDPOINT": s.Endpoint(), "KUSCIA_CERTS_DIR": s.CertsDir(), "TF_VAR_token": plantedToken,
		})
		output, err := w.run(t, "apply", "-no-color", "-auto-approve")
		if err == nil || !strings.Contains(output, "401") {
			t.Fatalf("%v\n%s", err, last(output))
		}
		noSecrets(t, "apply", output)
	})
}

func noSecrets(t *testing.T, what, output string) {
	t.Helper()
	for _, secret := range []string{plantedToken, plantedHeader, plantedConfig} {
		if i := strings.Index(output, secret); i >= 0 {
			t.Errorf("%s: a secret is in the output: ...%s...", what, output[max(0, i-300):min(len(output), i+100)])
		}
	}
}

// last is the end of an output, where the errors are.
func last(output string) string { return output[max(0, len(output)-4000):] }

// buildProvider builds the program as in a release and returns its folder.
func buildProvider(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X main.version=9.8.7 -X main.commit=0123abc",
		"-o", filepath.Join(dir, "terraform-provider-kuscia"), ".")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	return dir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
