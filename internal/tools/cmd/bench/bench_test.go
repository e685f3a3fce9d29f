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
