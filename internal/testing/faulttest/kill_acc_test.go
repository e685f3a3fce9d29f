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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
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

// TestAccKilled kills the CLI and the provider, each a separate process, while an apply creates,
// updates or deletes a serving. With adopt_existing the next apply continues. Without it, an apply that
// finds objects which are not in the state fails with import blocks, and continues with these.
func TestAccKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
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
		// at is the request after which processes are killed, whose response is lost unless it is part of a wait.
		at   string
		kill func(cli int)
		// then is the expected text of the next plan.
		then  string
		adopt bool
	}
	const wait = "serving/status/batchQuery"
	for name, test := range short.Sample(t, 1, map[string]killing{
		"provider in a create wait":   {desired: before, at: wait, kill: killProvider, then: "will be created"},
		"provider in a delete":        {initial: before, desired: onlyImage, at: "serving/delete", kill: killProvider, then: "No changes"},
		"CLI in an update wait":       {initial: before, desired: scaled, at: wait, kill: kill, then: "No changes"},
		"both in a create":            {desired: before, at: "serving/create", kill: killBoth, then: "will be created"},
		"both in an app image create": {desired: onlyImage, at: "appimage/create", kill: killBoth, then: "will be created", adopt: true},
		// Nobody has observed the start of the new pods, which look like the old ones.
		"CLI in an update wait of the text": {initial: scaled, desired: reworded, at: wait, kill: kill, then: "rollout_complete"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timing := sandbox.QuickTiming()
			timing.Start = slowStart
			b := newTestbed(t, sandbox.Options{Timing: timing})
			b.terraform.providerBlock["adopt_existing"] = test.adopt
			w := newCLI(t)
			if len(test.initial.images) > 0 {
				w.configure(b.terraform.providerBlock, test.initial.within("1m"))
				w.ends(t, 0, "apply", "-input=false", "-auto-approve")
				b.server.ResetRequests()
			}
			if test.at != wait {
				b.server.Inject(hang(test.at, true))
			}
			w.configure(b.terraform.providerBlock, test.desired.within("1m"))
			output := interruptCommand(t, w.command(t, "apply", "-no-color", "-input=false", "-auto-approve"), func() bool { return b.server.Count("/api/v1/"+test.at) > 0 }, test.kill)
			b.server.ClearFaults()
			b.waitRunning(t)
			plan, _ := w.run(t, "plan", "-no-color", "-input=false", "-lock=false")
			if !strings.Contains(plan, test.then) {
				t.Errorf("the next plan does not contain %q:\n%s", test.then, withoutLog(plan))
			}
			if !test.adopt && strings.Contains(plan, "will be created") {
				w.applyWithImports(t)
			}
			w.checkConverges(t, b, test.desired)
			w.checkNoSecrets(t, output)
			if t.Failed() {
				t.Logf("the apply printed:\n%s", withoutLog(output))
			}
		})
	}
}

// applyWithImports applies until it succeeds, with the import blocks of each failed apply.
func (c *cli) applyWithImports(t *testing.T) {
	t.Helper()
	for blocks := ""; ; {
		output, code := c.apply(t)
		c.checkNoSecrets(t, output)
		if code == 0 && blocks != "" {
			return
		}
		found := importBlock.FindAllStringSubmatch(strings.ReplaceAll(output, "│ ", ""), -1)
		known := blocks
		for _, match := range found {
			block := strings.Replace(match[0], ".NAME", "."+match[2], 1) // the names of the configuration are the IDs
			if !strings.Contains(known, block) {
				blocks += block
			}
		}
		if blocks == known {
			t.Fatalf("the apply ends with %d and shows no other import block:\n%s", code, withoutLog(output))
		}
		must(os.WriteFile(filepath.Join(c.dir, "imports.tf"), []byte(blocks), 0o600))
	}
}

// importBlock matches an import block in an error.
var importBlock = regexp.MustCompile(`(?m)^ *import \{\n +to = (\w+)\.NAME\n +id = "([^"]+)"\n *\}\n`)

// interruptCommand starts a command of the CLI, and interrupts it. No provider process may remain.
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
		checkEnds(t, pid, "terraform-prov")
	}
	return text.String()
}

// checkEnds waits until a process of a program ends after its CLI was killed.
func checkEnds(t *testing.T, pid int, program string) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err != nil || !strings.HasPrefix(string(left), program) {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%s %d outlived its CLI", program, pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
			return
		}
	}
}
