//go:build unix

package faulttest_test

import (
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

// TestAccPluginThatSleeps: Ctrl-C during the plan of an apply, which the CLI does not pass on before it
// has planned, ends a run whose credential plugin does not end, and the plugin.
func TestAccPluginThatSleeps(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	w := newCLI(t)
	started, command := filepath.Join(w.dir, "started"), filepath.Join(w.dir, "plugin")
	must(os.WriteFile(command, []byte("#!/bin/sh\nsleep 600 &\necho $! > "+started+".new\nmv "+started+".new "+started+"\nwait\n"), 0o700))
	exec := attrs{"api_version": "client.authentication.k8s.io/v1", "command": command, "args": []any{plantedKey}, "env": attrs{"KEY": plantedHeader}}
	w.save(acctest.RequiredProvider + acctest.ProviderBlock(attrs{"kubernetes": attrs{"host": "https://127.0.0.1:1", "exec": exec}}) +
		"data \"kuscia_deployments\" \"one\" {}\ndata \"kuscia_deployments\" \"two\" {}\n")
	apply := w.command(t, "apply", "-no-color", "-input=false", "-auto-approve")
	apply.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stopped time.Time
	output := interruptCommand(t, apply, func() bool { _, err := os.Stat(started); return err == nil }, func(cli int) {
		stopped = time.Now()
		must(syscall.Kill(-cli, syscall.SIGINT)) // it reaches the providers too, as in a terminal
	})
	// A provider that gets the signal may end before the CLI says so.
	said := withoutLog(output)
	if took := time.Since(stopped); took > 10*time.Second || !strings.Contains(said, "Interrupt received") && !strings.Contains(said, "the run was interrupted") {
		t.Errorf("%s after Ctrl-C: %s", took, said)
	}
	text, err := os.ReadFile(started)
	must(err)
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(err)
	checkEnds(t, id, "sleep")
	checkNoSecrets(t, output)
}
