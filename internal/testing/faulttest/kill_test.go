//go:build unix

package faulttest_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// children are the child processes of a process.
func children(parent int) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name in parentheses may contain any character.
		after := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && len(after) > 1 && after[1] == strconv.Itoa(parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestAccKilled kills the CLI and the provider, each a separate
// process, while an apply creates or updates a serving. With adopt_existing the
// next apply continues. Without it, an apply that finds objects which are not
// in the state fails with import blocks, and continues once these are in the
// configuration.
func TestAccKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	before := configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{duo("one")}}
	updated := configuration{images: before.images, servings: []servingSpec{before.servings[0].with(func(s *servingSpec) { s.parties[0].replicas = 2 })}}
	reworded := configuration{images: before.images, servings: []servingSpec{before.servings[0].with(func(s *servingSpec) { s.model = "b" })}}
	onlyImage := configuration{images: before.images}
	waiting := func(b *testbed) bool { return b.server.Count(statusPath()) >= 2 }
	asked := func(path string) func(b *testbed) bool {
		return func(b *testbed) bool { return b.server.Count("/api/v1/"+path) >= 1 }
	}
	hang := func(path string) sandbox.Fault {
		return sandbox.Fault{Kind: sandbox.FaultTimeout, Path: path, AfterEffect: true}
	}
	kill := func(cli int) { must(syscall.Kill(cli, syscall.SIGKILL)) }
	killProvider := func(cli int) {
		for _, pid := range children(cli) {
			kill(pid)
		}
	}
	killBoth := func(cli int) {
		providers := children(cli)
		kill(cli)
		for _, pid := range providers {
			kill(pid)
		}
	}

	type killing struct {
		initial, desired configuration
		fault            sandbox.Fault
		when             func(b *testbed) bool
		kill             func(cli int)
		// then is the expected text of the next plan.
		then string
	}
	for name, test := range acctest.Sample(t, 1, map[string]killing{
		"provider in a create wait":   {desired: before, when: waiting, kill: killProvider, then: "will be created"},
		"provider in a delete":        {initial: before, desired: onlyImage, fault: hang("serving/delete"), when: asked("serving/delete"), kill: killProvider, then: "No changes"},
		"CLI in an update wait":       {initial: before, desired: updated, when: waiting, kill: kill, then: "No changes"},
		"both in a create":            {desired: before, fault: hang("serving/create"), when: asked("serving/create"), kill: killBoth, then: "will be created"},
		"both in an app image create": {desired: onlyImage, fault: hang("appimage/create"), when: asked("appimage/create"), kill: killBoth, then: "will be created"},
		// Nobody has observed the start of the new pods, which look like the
		// old ones.
		"CLI in an update wait of the text": {initial: before, desired: reworded, when: waiting, kill: kill, then: "rollout_complete"},
	}) {
		for whether, adopt := range acctest.Sample(t, 1, map[string]bool{"adopt_existing=false": false, "adopt_existing=true": true}) {
			t.Run(name+"/"+whether, func(t *testing.T) {
				t.Parallel()
				b := newTestbed(t, slowStart())
				b.terraform.providerBlock["adopt_existing"] = adopt
				w := newCLI(t)
				if len(test.initial.images) > 0 {
					for _, wait := range []bool{false, true} { // the second only enables the wait
						initial := configuration{images: test.initial.images, timeout: "1m"}
						for _, s := range test.initial.servings {
							initial.servings = append(initial.servings, s.with(func(s *servingSpec) { s.noWait = !wait }))
						}
						w.configure(b.terraform.providerBlock, initial)
						w.must(t, "apply", "-input=false", "-auto-approve")
						b.server.Advance(2 * time.Hour)
					}
					b.server.ResetRequests()
				}
				if test.fault.Kind != "" {
					b.server.Inject(test.fault)
				}
				w.configure(b.terraform.providerBlock, test.desired.within("1m"))
				output := interruptCommand(t, w.command(t, "apply", "-no-color", "-input=false", "-auto-approve"), func() bool { return test.when(b) }, test.kill)
				b.server.ClearFaults()
				b.startPods(t)
				b.waitRunning(t)

				plan, _ := w.run(t, "plan", "-no-color", "-input=false", "-lock=false")
				if !strings.Contains(plan, test.then) {
					t.Errorf("the next plan does not contain %q:\n%s", test.then, withoutLog(plan))
				}
				if !adopt && strings.Contains(plan, "will be created") {
					w.checkImportBlocks(t)
				}
				w.checkConverges(t, b, test.desired)
				w.checkNoSecrets(t, output)
				if t.Failed() {
					t.Logf("the apply printed:\n%s", withoutLog(output))
				}
			})
		}
	}
}

// checkImportBlocks applies until it succeeds: each failed apply shows import
// blocks, which are added to the configuration unchanged, except for the name.
// In the end the objects are imported without a change.
func (c *cli) checkImportBlocks(t *testing.T) {
	t.Helper()
	blocks := ""
	for {
		output, code := c.apply(t)
		c.checkNoSecrets(t, output)
		if code == 0 {
			break
		}
		found := importBlock.FindAllStringSubmatch(plainOutput(output), -1)
		for _, block := range found {
			if strings.Contains(blocks, block[0]) {
				t.Fatalf("the apply fails although the object is imported:\n%s", withoutLog(output))
			}
			blocks += strings.Replace(block[0], ".NAME", "."+block[2], 1) // the names of the configuration are the IDs
		}
		if len(found) == 0 {
			t.Fatalf("the apply fails and shows no import block:\n%s", withoutLog(output))
		}
		must(os.WriteFile(filepath.Join(c.dir, "imports.tf"), []byte(blocks), 0o600))
		plan, _ := c.run(t, "plan", "-no-color", "-input=false")
		if !strings.Contains(plan, fmt.Sprintf("%d to import", len(found))) || !strings.Contains(plan, " 0 to destroy") || changesOfPlan(plan) != "" {
			t.Errorf("the plan with the import block is not only an import:\n%s", withoutLog(plan))
		}
	}
	if blocks == "" {
		t.Error("the apply found no existing object although adoption is disabled")
	}
}

// changesOfPlan returns the lines of a plan that change a value. With an import the CLI shows
// each value that is put into sensitive() as changed, and calls it unchanged.
func changesOfPlan(plan string) string {
	changes := regexp.MustCompile(`(?m)^ +[~+-] .* [=-]>? .*\n`).FindAllString(plan, -1)
	return strings.Join(slices.DeleteFunc(changes, func(line string) bool {
		return strings.Contains(line, "~ serving_input_config ") && strings.HasSuffix(line, "= (sensitive value)\n")
	}), "")
}

// importBlock matches an import block in an error.
var importBlock = regexp.MustCompile(`(?m)^ *import \{\n +to = (\w+)\.NAME\n +id = "([^"]+)"\n *\}\n`)

// plainOutput removes the frame of errors.
func plainOutput(output string) string {
	return regexp.MustCompile(`(?m)^│ `).ReplaceAllString(output, "")
}

// interruptCommand starts a command of the CLI, interrupts it at the right time, and returns
// the output after the CLI has ended. No provider process may remain.
func interruptCommand(t *testing.T, cmd *exec.Cmd, when func() bool, kill func(cli int)) string {
	t.Helper()
	var text output
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for !when() {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("the apply did not reach this point:\n%s", withoutLog(text.String()))
		}
		time.Sleep(5 * time.Millisecond)
	}
	providers := children(cmd.Process.Pid)
	if len(providers) == 0 {
		t.Error("the CLI has no provider running")
	}
	kill(cmd.Process.Pid)
	began := time.Now()
	_ = cmd.Wait() // the exit code depends on kill
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the CLI continued for %s", took)
	}
	for _, pid := range providers {
		checkEnds(t, pid)
	}
	return text.String()
}

// checkEnds waits until a provider ends after its CLI was killed.
func checkEnds(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err != nil || !strings.HasPrefix(string(left), "terraform-prov") {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("provider %d outlived its CLI", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
			return
		}
	}
}
