package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccProgram runs the program, built as in a release, with a CLI: requests and the log say
// which build it is. TestAccSecrets shows that no secret is in its output.
func TestAccProgram(t *testing.T) {
	t.Parallel()
	cli := acctest.CLI(t)
	agents := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		select {
		case agents <- request.Header.Get("User-Agent"):
		default:
		}
		http.NotFound(w, request)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), acctest.RequiredProvider+acctest.DataBlock("kuscia_app_images", "all", nil))
	cmd := exec.CommandContext(t.Context(), cli, "plan", "-no-color")
	cmd.Dir, cmd.Env = dir, append(acctest.BuiltProvider(t, buildProvider(t)), "TF_LOG=TRACE", "KUSCIA_ENDPOINT="+server.URL)
	output, _ := cmd.CombinedOutput() // it fails: the server is no Kuscia
	for _, text := range []string{"provider configured", "terraform-provider-kuscia/9.8.7", "commit=0123abc", "HTTP 404"} {
		if !strings.Contains(string(output), text) {
			t.Errorf("the output does not contain %q: %s", text, output[max(0, len(output)-4000):])
		}
	}
	select {
	case agent := <-agents:
		if !strings.HasPrefix(agent, "terraform-provider-kuscia/9.8.7 (terraform ") {
			t.Errorf("the user agent is %q", agent)
		}
	default:
		t.Error("no request")
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
