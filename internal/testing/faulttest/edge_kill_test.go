//go:build unix

package faulttest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// wasRequested reports whether there was a request.
func (b *edgeTestbed) wasRequested(method, path string) bool {
	for _, r := range b.server.Requests() {
		if r.Method == method && strings.HasSuffix(r.Path, path) {
			return true
		}
	}
	return false
}

// TestAccEdgeKilled kills the CLI and the provider while an apply creates,
// updates or deletes an edge deployment. With adopt_existing the next apply
// continues. Without it, an apply that finds a deployment which is not in the
// state fails with an import block, and continues with that.
func TestAccEdgeKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	one, two, none := map[string]string{"one": "app:1"}, map[string]string{"one": "app:2"}, map[string]string{}
	hang := func(method string) sandbox.Fault {
		return sandbox.Fault{Method: method, AfterEffect: true, Delay: time.Hour}
	}
	type killing struct {
		initial, desired map[string]string
		fault            sandbox.Fault
		when             func(b *edgeTestbed) bool
		found            bool // that is not in the state
	}
	for name, test := range acctest.Sample(t, 1, map[string]killing{
		"in a create":      {desired: one, fault: hang("POST"), when: func(b *edgeTestbed) bool { return b.wasRequested("POST", "/deployments") }, found: true},
		"in a create wait": {desired: one, when: func(b *edgeTestbed) bool { return b.wasRequested("GET", "/pods") }, found: true},
		"in an update":     {initial: one, desired: two, fault: hang("PUT"), when: func(b *edgeTestbed) bool { return b.wasRequested("PUT", "") }},
		"in a delete":      {initial: one, desired: none, fault: hang("DELETE"), when: func(b *edgeTestbed) bool { return b.wasRequested("DELETE", "") }},
	}) {
		for whether, adopt := range acctest.Sample(t, 1, map[string]bool{"adopt_existing=false": false, "adopt_existing=true": true}) {
			t.Run(name+"/"+whether, func(t *testing.T) {
				t.Parallel()
				timing := sandbox.QuickTiming()
				timing.Start = 2 * time.Second
				b := newEdgeTestbed(t, timing)
				b.terraform.providerBlock["adopt_existing"] = adopt
				initial, desired := edgeConfiguration{api.V3, test.initial, "1m"}, edgeConfiguration{api.V3, test.desired, "1m"}
				w := newCLI(t)
				if len(test.initial) > 0 {
					w.write(b.terraform.providerBlock, initial.resources())
					w.must(t, "apply", "-input=false", "-auto-approve")
				}
				if test.fault.Method != "" {
					b.server.Inject(test.fault)
				}
				w.write(b.terraform.providerBlock, desired.resources())
				output := w.interruptDuring(t, func() bool { return test.when(b) }, killBoth)
				b.server.ClearFaults()
				_ = os.Remove(filepath.Join(w.dir, ".terraform.tfstate.lock.info"))
				if test.found && !adopt {
					w.checkEdgeImportBlock(t)
				}
				again, code := w.apply(t)
				if code != 0 {
					t.Errorf("the next apply failed:\n%s", withoutLog(again))
				}
				for _, difference := range b.differences(t, desired) {
					t.Error(difference)
				}
				plan, code := w.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode")
				if code != 0 {
					t.Errorf("the plan after it is not empty:\n%s", withoutLog(plan))
				}
				checkNoSecrets(t, output, withoutOwnLeaks(again), plan)
			})
		}
	}
}

// checkEdgeImportBlock applies, expects an import block, and adds it to the
// configuration.
func (c *cli) checkEdgeImportBlock(t *testing.T) {
	t.Helper()
	output, code := c.apply(t)
	block := importBlock.FindStringSubmatch(plainOutput(output))
	if code == 0 || block == nil || block[1] != "kuscia_edge_deployment" {
		t.Fatalf("exit code %d, and no import block:\n%s", code, withoutLog(output))
	}
	must(os.WriteFile(filepath.Join(c.dir, "imports.tf"), []byte(strings.Replace(block[0], ".NAME", ".one", 1)), 0o600))
}

// TestAccEdgeSecrets runs the built provider with a CLI with full logs:
// credentials appear nowhere, and the value of a variable only in the state,
// which Terraform has to store, and in what the CLI itself passes to the
// provider.
func TestAccEdgeSecrets(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestSecretMatrix"))
	t.Parallel()
	w := newCLI(t)
	b := newEdgeTestbed(t, sandbox.QuickTiming())
	outputs := ""
	for i, step := range []struct {
		images map[string]string
		fault  sandbox.Fault
		code   int
	}{
		{map[string]string{"one": "app:1"}, sandbox.Fault{Method: "POST", Times: -1, Status: 400, Body: `{"error_code":"IEF.100013","error_msg":"KEY=` + plantedKey + ` ` + plantedSecretKey + ` ` + plantedSecurityToken + `"}`}, 1},
		{map[string]string{"one": "app:1"}, sandbox.Fault{}, 0},
		{map[string]string{"one": "app:2"}, sandbox.Fault{Method: "PUT", Times: -1, Status: 401, Body: "token " + plantedSecurityToken + plantedKey}, 1},
		{map[string]string{"one": "app:2"}, sandbox.Fault{}, 0},
	} {
		if step.code != 0 {
			b.server.Inject(step.fault)
		}
		w.write(b.terraform.providerBlock, edgeConfiguration{api.V3, step.images, "1m"}.resources())
		output, code := w.apply(t)
		b.server.ClearFaults()
		if code != step.code {
			t.Errorf("step %d: exit code %d:\n%s", i, code, withoutLog(output))
		}
		outputs += output
	}
	if !strings.Contains(outputs, "IEF request body") {
		t.Error("the log has no request, so the search for secrets proves nothing")
	}
	checkNoSecrets(t, outputs)

	state, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
	must(err)
	if n := strings.Count(string(state), plantedKey); n != 1 {
		t.Errorf("the state has the value of the variable %d times, want it in its attribute alone", n)
	}
	backup, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate.backup"))
	must(err)
	for _, secret := range []string{plantedSecretKey, plantedSecurityToken, b.server.Options().AccessKey} {
		if strings.Contains(string(state)+string(backup), secret) {
			t.Errorf("a credential is in the state: %s", secret)
		}
	}
}
