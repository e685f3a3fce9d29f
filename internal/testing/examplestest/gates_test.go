package examplestest_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testChecks: a serving that does not run is a warning of the check block and
// an error of the postcondition, in plan and apply, and repairing it is not in
// their way.
func testChecks(t *testing.T, e example) {
	env := fixedNames(t)
	const (
		warning = "Warning: Check block assertion failed"
		failure = "Error: Resource postcondition failed"
		reason  = "reason: ImagePullBackOff Back-off pulling image"
	)
	p := newProject(t, at(env), e)
	p.init(t)

	broken := []string{"-no-color", "-var=tag=broken", "-var=wait_for_rollout=false"}
	first := p.run(t, 1, append([]string{"apply", "-auto-approve"}, broken...)...)
	expectIn(t, first, failure, "Serving glm is not available.")
	waitReason(t, env, "ImagePullBackOff")

	plan := p.run(t, 1, append([]string{"plan"}, broken...)...)
	expectIn(t, plan, failure, reason, warning)

	// Without the postcondition the check warns, and the plan stays empty.
	p.move(t, "postcondition.tf", "postcondition.off")
	plan = p.run(t, 0, append([]string{"plan", "-detailed-exitcode"}, broken...)...)
	expectIn(t, plan, warning, "Serving glm is not available.")

	// Not so with a data source inside of the block.
	write(t, filepath.Join(p.dir, "inside.tf"), "check \"inside\" {\n  data \"kuscia_serving_status\" \"inside\" {\n    serving_ids = [\"glm\"]\n  }\n"+
		"  assert {\n    condition     = length(data.kuscia_serving_status.inside.servings) == 1\n    error_message = \"Gone.\"\n  }\n}\n")
	expectIn(t, p.run(t, 2, append([]string{"plan", "-detailed-exitcode"}, broken...)...), "config will be reloaded to verify a check block")
	p.move(t, "inside.tf", "inside.off")
	p.move(t, "postcondition.off", "postcondition.tf")

	repaired := p.run(t, 0, "apply", "-auto-approve", "-no-color")
	expectDeployed(t, env, oldImage)
	if strings.Contains(p.run(t, 0, "plan", "-no-color", "-detailed-exitcode"), "Warning") {
		t.Errorf("a check fails on a serving that runs; the apply said:\n%s", repaired)
	}
	p.run(t, 0, "destroy", "-auto-approve", "-no-color")
}

// waitReason waits until Kuscia says why the serving does not run.
func waitReason(t *testing.T, env *acctest.Env, reason string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		statuses, err := env.API.BatchQueryServingStatus(t.Context(), []string{"glm"})
		if err != nil {
			t.Fatal(err)
		}
		if len(statuses) == 1 && statuses[0].Status != nil && strings.Contains(statuses[0].Status.Reason, reason) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("Kuscia does not say %s: %+v", reason, statuses)
		}
	}
}

// testModule runs the module's own test as its header says: against the
// sandbox program.
func testModule(t *testing.T, e example) {
	endpoint := startSandbox(t)
	p := newProject(t, map[string]string{"KUSCIA_ENDPOINT": endpoint}, e)
	p.init(t)
	output := p.run(t, 0, "test", "-no-color")
	expectIn(t, output, "Success! 5 passed, 0 failed.")

	// The test can fail: the module's serving no longer follows its image.
	p.replace(t, "parties = {", "follow_app_image = false\n\n  parties = {")
	expectIn(t, p.run(t, 1, "test", "-no-color"), "The serving must be rolled out with the image.", "4 passed, 1 failed.")
	t.Run("replaced", func(t *testing.T) {
		acctest.RequireTerraform(t, tfversion.Version1_8_0, "a test that fails for an unknown condition")
		p.replace(t, "follow_app_image = false", "affinity_mode = var.image.tag == \"0.9.0b0\" ? \"none\" : null")
		expectIn(t, p.run(t, 1, "test", "-no-color"), "run \"a_new_tag_is_an_update\"... fail")
	})
}

var announced = regexp.MustCompile(`endpoint\s*=\s*"(https?://[^"]+)"`)

// startSandbox runs the sandbox program on a free port and returns its address.
func startSandbox(t *testing.T) string {
	t.Helper()
	return startSandboxWith(t, "--protocol", "NOTLS", "--listen", "127.0.0.1:0")
}

// startSandboxWith runs the sandbox program with arguments and returns its address.
func startSandboxWith(t *testing.T, args ...string) string {
	t.Helper()
	acctest.CLI(t) // skips where nothing would use it
	// The test ends it in order, after its context has ended.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), must[string](t)(sandboxProgram()), append(args, "--timing", "quick")...)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the sandbox: %v", err)
		}
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if match := announced.FindStringSubmatch(lines.Text()); match != nil {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return match[1]
		}
	}
	t.Fatal("the sandbox ended before it listened")
	return ""
}

// testSandboxFaults runs the script, which checks what it shows.
func testSandboxFaults(t *testing.T, e example) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the script needs curl: ", err)
	}
	p := newProject(t, map[string]string{"KUSCIA_ENDPOINT": startSandbox(t), "TF_CLI_ARGS": "-no-color"}, e)
	p.init(t)
	p.replace(t, `create = "30s", update = "30s"`, `create = "30s", update = "5s"`) // the last one waits that long
	output := p.program(t, 0, filepath.Join(p.root, "sandbox-faults", "faults.sh"))
	expectIn(t, output, "serving/update \"glm\": code 11100: not today", "Destroy complete!")
	// The time until the update was sent is not part of it.
	if waited := regexp.MustCompile(`Serving "glm" (?:does not run as configured|has the desired replica counts) after (4\.\d+s|5)`); !waited.MatchString(acctest.Plain(output)) {
		t.Errorf("%s is not in the output:\n%s", waited, output)
	}
}
