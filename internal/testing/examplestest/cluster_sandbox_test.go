//go:build unix

package examplestest_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccUserOfTheClusterSandbox: with one program a user releases a new image of a
// deployment in steps, sees it in the KusciaAPI, and leaves nothing behind with Ctrl-C, which
// a terminal sends to the program and the API server that it has started.
func TestAccUserOfTheClusterSandbox(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	t.Parallel()
	p := newInstalledProject(t, nil)
	temporary := t.TempDir()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), must[string](t)(sandboxProgram()), "--protocol", "NOTLS", "--listen", "127.0.0.1:0", "--kubernetes", "--timing", "quick")
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // only after a failure is there anything
	block := printedBlock(t, bufio.NewScanner(output))

	p.dir = p.root
	write(t, filepath.Join(p.dir, "provider.tf"), versions+block)
	write(t, filepath.Join(p.dir, "main.tf"), `
variable "tag" { type = string }

resource "kuscia_app_image" "glm" {
  for_each         = toset(["1", "2"])
  name             = "glm-${each.key}"
  image            = { name = "corp/glm", tag = each.key }
  deploy_templates = [{ name = "app", containers = [{ name = "main", ports = [{ name = "service", protocol = "HTTP", scope = "Domain" }] }] }]
}

resource "kuscia_rollout" "glm" {
  namespace    = "alice"
  name         = "glm"
  workload_ref = { name = "glm" }
  canary       = { steps = [{ replicas = "1" }, { replicas = "100%" }] }
}

resource "kuscia_deployment" "glm" {
  name         = "glm"
  initiator    = "alice"
  input_config = "{}"
  labels       = { "kuscia.secretflow/app-type" = "serving" }
  parties      = { alice = { app_image = kuscia_app_image.glm[var.tag].name, replicas = 2 } }
  depends_on   = [kuscia_rollout.glm]
}

data "kuscia_rollout" "glm" {
  namespace  = "alice"
  name       = "glm"
  depends_on = [kuscia_deployment.glm]
}

data "kuscia_serving" "glm" {
  serving_id = kuscia_deployment.glm.name
}

output "seen" {
  value = "${data.kuscia_serving.glm.status.state}, ${data.kuscia_rollout.glm.awaits_approval ? "waits for an approval" : data.kuscia_rollout.glm.state}"
}
`)
	p.init(t)
	expectIn(t, p.run(t, 0, "apply", "-no-color", "-auto-approve", "-var", "tag=1"), `seen = "Available, healthy"`)
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode", "-var", "tag=1")
	expectIn(t, p.run(t, 0, "apply", "-no-color", "-auto-approve", "-var", "tag=2"), `seen = "Available, waits for an approval"`)

	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the sandbox: %v", err)
	}
	if err := syscall.Kill(-cmd.Process.Pid, 0); err == nil {
		t.Error("a process still runs")
	}
	if left := must[[]os.DirEntry](t)(os.ReadDir(temporary)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// printedBlock is the provider block that a sandbox prints.
func printedBlock(t *testing.T, lines *bufio.Scanner) (block string) {
	t.Helper()
	for lines.Scan() {
		if line := lines.Text(); block != "" || strings.HasPrefix(line, "provider ") {
			if block += line + "\n"; line == "}" {
				return block
			}
		}
	}
	t.Fatalf("the sandbox ended before it listened: %s", block)
	return ""
}
