package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// Secrets in the input of the provider. None of them may appear in any output.
const (
	plantedToken  = "PlantedTokenPlantedTokenPlanted0"
	plantedHeader = "planted-header-value"
	plantedConfig = "planted-storage-key"
)

var configuration = acctest.RequiredProvider +
	acctest.AppImageBlock{Name: "main-test", Container: map[string]any{"ports": []any{
		map[string]any{"name": "service", "scope": "Domain"}, map[string]any{"name": "communication", "scope": "Cluster"},
	}}}.String() +
	acctest.Block("kuscia_serving", "test", map[string]any{
		"serving_id": "main-test", "initiator": "alice",
		"serving_input_config": acctest.Reference(`sensitive(jsonencode({ key = "` + plantedConfig + `" }))`),
		"parties":              acctest.Reference(`{ for d in ["alice", "bob"] : d => { app_image = kuscia_app_image.test.name } }`),
	})

// TestAccProgram runs the program itself with a CLI with full logs: a serving
// is created, read and destroyed, the requests have token, user agent and
// custom headers, and no secret is in the output or in the logs.
func TestAccProgram(t *testing.T) {
	t.Parallel()
	cli := acctest.CLI(t)
	s := acctest.NewSandbox(t, sandbox.Options{}).Sandbox
	var headers atomic.Pointer[http.Header]
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		headers.Store(new(request.Header.Clone()))
		s.Handler().ServeHTTP(w, request)
	}))
	t.Cleanup(front.Close)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), configuration)
	environment := append(acctest.BuiltProvider(t, buildProvider(t)), "TF_LOG=TRACE",
		"KUSCIA_ENDPOINT="+front.URL, "KUSCIA_TOKEN="+plantedToken, `KUSCIA_CUSTOM_HEADERS={"tenant": "`+plantedHeader+`"}`)
	for _, args := range [][]string{
		{"apply", "-no-color", "-auto-approve"}, {"plan", "-no-color", "-detailed-exitcode"}, {"destroy", "-no-color", "-auto-approve"},
	} {
		cmd := exec.CommandContext(t.Context(), cli, args...)
		cmd.Dir, cmd.Env = dir, environment
		content, err := cmd.CombinedOutput()
		output := string(content)
		if err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, output[max(0, len(output)-4000):])
		}
		if !strings.Contains(output, "provider configured") {
			t.Errorf("%s: the provider's log is not in the output, so the search for secrets proves nothing", args[0])
		}
		for _, build := range []string{"terraform-provider-kuscia/9.8.7", "commit=0123abc"} {
			if !strings.Contains(output, build) {
				t.Errorf("%s: the log does not contain the build: %s", args[0], build)
			}
		}
		for _, secret := range []string{plantedToken, plantedHeader, plantedConfig} {
			if i := strings.Index(output, secret); i >= 0 {
				t.Errorf("%s: a secret is in the output: ...%s...", args[0], output[max(0, i-300):min(len(output), i+100)])
			}
		}
	}

	if sent := *headers.Load(); !strings.HasPrefix(sent.Get("User-Agent"), "terraform-provider-kuscia/9.8.7 (terraform ") || sent.Get("Token") != plantedToken {
		t.Errorf("the user agent is %q, or the token was not sent", sent.Get("User-Agent"))
	}
	for _, request := range s.Requests() {
		if request.Method == http.MethodPost && !strings.Contains(request.Body, `"custom_headers":{"tenant":"`+plantedHeader+`"}`) {
			t.Errorf("%s was sent without the custom headers", request.Op)
		}
	}
}

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
