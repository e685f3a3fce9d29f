//go:build unix

package faulttest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// sleepingRun is a configuration with two objects that need a credential plugin whose child
// sleeps. The file named started gets the child's process id.
func sleepingRun(t *testing.T) (w *cli, started string) {
	t.Helper()
	w = newCLI(t)
	started = filepath.Join(w.dir, "started")
	command := filepath.Join(w.dir, "plugin")
	must(os.WriteFile(command, []byte("#!/bin/sh\nsleep 600 &\necho $! > "+started+".new\nmv "+started+".new "+started+"\nwait\n"), 0o700))
	exec := attrs{"api_version": "client.authentication.k8s.io/v1", "command": command, "args": []any{plantedKey}, "env": attrs{"KEY": plantedHeader}}
	text := acctest.RequiredProvider + acctest.ProviderBlock(attrs{"kubernetes": attrs{"host": "https://127.0.0.1:1", "exec": exec}})
	for i := range 2 {
		text += fmt.Sprintf("data \"kuscia_deployments\" \"all%d\" {}\n", i)
	}
	w.save(text)
	return w, started
}

func checkGone(t *testing.T, started string) {
	t.Helper()
	text, err := os.ReadFile(started)
	must(err)
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(err)
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if comm, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/comm"); err != nil || string(comm) != "sleep\n" {
			return
		}
		if time.Now().After(end) {
			t.Errorf("process %d of the plugin still runs", id)
			_ = syscall.Kill(id, syscall.SIGKILL)
			return
		}
	}
}

// TestAccPluginThatSleeps: one Ctrl-C ends a run whose credential plugin does not
// end, and the plugin.
func TestAccPluginThatSleeps(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	for name, test := range map[string]struct {
		command []string
		group   bool // the signal reaches the providers too, as in a terminal
	}{
		"plan": {[]string{"plan", "-no-color", "-input=false"}, false},
		// The CLI does not pass it on before it has planned.
		"plan of an apply": {[]string{"apply", "-no-color", "-input=false", "-auto-approve"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, started := sleepingRun(t)
			command := w.command(t, test.command...)
			command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			var stopped time.Time
			output := interruptCommand(t, command, func() bool { _, err := os.Stat(started); return err == nil }, func(cli int) {
				stopped = time.Now()
				if test.group {
					cli = -cli
				}
				must(syscall.Kill(cli, syscall.SIGINT))
			})
			said := withoutLog(output)
			// A provider that gets the signal may end before the CLI says so.
			interrupted := strings.Contains(said, "Interrupt received") || test.group && strings.Contains(said, "the run was interrupted")
			if took := time.Since(stopped); took > 10*time.Second || !interrupted {
				t.Errorf("%s after Ctrl-C: %s", took, said)
			}
			checkGone(t, started)
			checkNoSecrets(t, output)
		})
	}
}
