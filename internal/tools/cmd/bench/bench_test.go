//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if isProbe() {
		os.Exit(probe())
	}
	os.Exit(m.Run())
}

// The probe runs the real program, returns its exit code and records its
// resource usage, once for each run.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "terraform-provider-kuscia")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	usageFile := filepath.Join(dir, "usage")
	for range 2 {
		cmd := exec.Command(link, "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; exit 3")
		cmd.Env = append(os.Environ(), probedVariable+"=/bin/sh", usageVariable+"="+usageFile)
		out, err := cmd.Output()
		if string(out) != "done\n" || cmd.ProcessState.ExitCode() != 3 {
			t.Fatalf("%q, %v", out, err)
		}
	}
	text, err := os.ReadFile(usageFile)
	if err != nil || strings.Count(string(text), "\n") != 2 {
		t.Fatalf("%s, %v", text, err)
	}
	used, err := readUsage(usageFile)
	if err != nil || used.CPU <= 0 || used.Memory <= 0 {
		t.Errorf("%+v, %v", used, err)
	}
}

// Servings in several blocks are found by their resource addresses.
func TestCompletions(t *testing.T) {
	line := func(kind, block, key string) string {
		return `{"type":"apply_complete","@timestamp":"2026-01-02T03:04:05Z","hook":{"resource":{"resource_type":"` + kind + `","resource_name":"` + block + `","resource_key":` + key + "}}}\n"
	}
	completed, err := completions([]byte(`{"type":"version"}` + "\n" + line("kuscia_app_image", "app", "null") + line("kuscia_serving", "from_0", "7") + line("kuscia_serving", "from_1000", "7")))
	if err != nil || len(completed) != 2 || completed["s-7"].IsZero() || completed["s-1007"].IsZero() {
		t.Errorf("%v, %v", completed, err)
	}
	text := servings(2*blockSize + 1)
	for _, want := range []string{`"from_0"`, `"from_1000"`, `"from_2000"`, "count      = 1\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the configuration", want)
		}
	}
}
