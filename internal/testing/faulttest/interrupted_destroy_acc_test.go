//go:build unix

package faulttest_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// ofLiteralIDs is a configuration whose objects refer to those of another provider block by literal
// IDs, so that a destroy may delete these first.
const ofLiteralIDs = twoBlocks + `
variable "text" {
  default = ""
}
resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = var.text
  parties              = { alice = { app_image = "app" } }
}
resource "kuscia_domain_route" "out" {
  source              = "carol"
  destination         = "bob"
  authentication_type = "None"
  endpoint = {
    host  = "gateway"
    ports = [{ name = "http", port = 1080, protocol = "HTTP" }]
  }
}
`

// TestAccInterruptedDestroy: Ctrl-C in a destroy leaves a serving and a route whose app image and
// domain are gone. A plan of a change warns of what is missing, its apply is refused before anything
// is sent, an apply of all makes it again, and a destroy needs none of it.
func TestAccInterruptedDestroy(t *testing.T) {
	short.LeaveOut(t, short.ShownBy("TestReferences", "TestAccReferences"))
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	w := newQuietCLI(t)
	master := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolNOTLS, StaleConfig: -1}).Sandbox
	w.save(acctest.RequiredProvider + fmt.Sprintf(ofLiteralIDs, master.Endpoint()))
	run := func(code int, args ...string) string {
		t.Helper()
		return w.ends(t, code, args...)
	}
	count := func(paths ...string) (n int) {
		for _, path := range paths {
			n += master.Count("/api/v1/" + path)
		}
		return n
	}
	interrupt := func() {
		t.Helper()
		master.ResetRequests()
		for _, path := range []string{"serving/delete", "route/delete"} {
			master.Inject(sandbox.Fault{Kind: sandbox.FaultTimeout, Path: path, Times: sandbox.Always})
		}
		destroy := w.command(t, "destroy", "-no-color", "-input=false", "-auto-approve")
		said := interruptCommand(t, destroy, func() bool {
			_, err := master.AppImage("app")
			return err != nil && count("serving/delete") > 0 && count("route/delete") > 0 && count("domain/delete") > 0
		}, func(cli int) { must(syscall.Kill(cli, syscall.SIGINT)) })
		master.ClearFaults()
		if !strings.Contains(said, "Interrupt received") || strings.Contains(said, "Destroy complete!") {
			t.Errorf("the destroy says:\n%s", said)
		}
	}

	targets := []string{"-target=kuscia_app_image.app", "-target=kuscia_domain.carol"}
	run(0, append([]string{"apply", "-auto-approve"}, targets...)...)
	run(0, "apply", "-auto-approve")
	interrupt()

	before := count("serving/update", "serving/create", "route/create")
	change := []string{"-target=kuscia_serving.glm", "-var=text=other"}
	protocol.Says(t, "the plan", run(2, append([]string{"plan", "-detailed-exitcode"}, change...)...), "Warning: App image does not exist", `Kuscia has no app image "app"`)
	protocol.Says(t, "the apply", run(1, append([]string{"apply", "-auto-approve"}, change...)...), "Error: App image does not exist", "Nothing was sent.")
	if n := count("serving/update", "serving/create", "route/create") - before; n > 0 {
		t.Errorf("%d requests were sent", n)
	}
	run(0, "apply", "-auto-approve")
	run(0, "plan", "-detailed-exitcode")

	interrupt()
	protocol.Says(t, "the next destroy", run(0, "destroy", "-auto-approve"), "Destroy complete!")
	if left := master.ServingIDs(); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}
