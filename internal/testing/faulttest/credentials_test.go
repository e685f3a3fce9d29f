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

// sleepingPlugin writes a credential plugin whose child sleeps, and returns the
// attribute exec for it. The file named started gets the child's process id.
func (c *cli) sleepingPlugin() (exec attrs, started string) {
	started = filepath.Join(c.dir, "started")
	command := filepath.Join(c.dir, "plugin")
	must(os.WriteFile(command, []byte("#!/bin/sh\nsleep 600 &\necho $! > "+started+".new\nmv "+started+".new "+started+"\nwait\n"), 0o700))
	return attrs{"api_version": "client.authentication.k8s.io/v1", "command": command, "args": []any{plantedKey}, "env": attrs{"KEY": plantedHeader}}, started
}

// reads writes a configuration with data sources.
func (c *cli) reads(providerBlock attrs, dataSources ...string) {
	text := acctest.RequiredProvider + acctest.ProviderBlock(providerBlock)
	for i, dataSource := range dataSources {
		text += fmt.Sprintf("data %q \"all%d\" {}\n", dataSource, i)
	}
	c.save(text)
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

// sleepingRun is a configuration with two objects that need the plugin.
func sleepingRun(t *testing.T) (w *cli, started string) {
	t.Helper()
	w = newCLI(t)
	exec, started := w.sleepingPlugin()
	w.reads(attrs{"kubernetes": attrs{"host": "https://127.0.0.1:1", "exec": exec}}, "kuscia_deployments", "kuscia_deployments")
	return w, started
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

// TestAccPluginAtItsLimit: without a Ctrl-C the run ends with an error after a minute.
func TestAccPluginAtItsLimit(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	w, started := sleepingRun(t)
	began := time.Now()
	output, code := w.run(t, "plan", "-no-color", "-input=false")
	if took := time.Since(began); code != 1 || took < 59*time.Second || took > 80*time.Second || !strings.Contains(strings.Join(strings.Fields(withoutLog(output)), " "), "did not end within 1m0s and was stopped") {
		t.Errorf("%d after %s: %s", code, took, withoutLog(output))
	}
	checkGone(t, started)
	checkNoSecrets(t, output)
}

// TestAccBlockingCredentialFiles: a pipe as a file with credentials is an error at
// once, wherever it is.
func TestAccBlockingCredentialFiles(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestBlockingFiles"))
	t.Parallel()
	w := newCLI(t)
	pipe, kubeconfig := filepath.Join(w.dir, "pipe"), filepath.Join(w.dir, "kubeconfig")
	must(syscall.Mkfifo(pipe, 0o600))
	user := func(text string) {
		must(os.WriteFile(kubeconfig, []byte(kubeconfigText(`server: "https://127.0.0.1:1"`, text)), 0o600))
	}
	for name, test := range map[string]struct {
		provider attrs
		user     string
	}{
		"token_file":         {attrs{"endpoint": "https://127.0.0.1:1", "token_file": pipe}, ""},
		"kubeconfig":         {attrs{"kubernetes": attrs{"config_path": pipe}}, ""},
		"tokenFile":          {attrs{"kubernetes": attrs{"config_path": kubeconfig}}, "tokenFile: pipe"},
		"client-certificate": {attrs{"kubernetes": attrs{"config_path": kubeconfig}}, "client-key: pipe, client-certificate: pipe"},
	} {
		user(test.user)
		w.reads(test.provider, map[bool]string{true: "kuscia_deployments", false: "kuscia_app_images"}[test.provider["kubernetes"] != nil])
		began := time.Now()
		output, code := w.run(t, "plan", "-no-color", "-input=false")
		if took := time.Since(began); code != 1 || took > 20*time.Second || !strings.Contains(plainOutput(withoutLog(output)), "regular file") {
			t.Errorf("%s: %d after %s: %s", name, code, took, withoutLog(output))
		}
	}
}
