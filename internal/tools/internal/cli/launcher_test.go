package cli

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLaunched: the starts of a launched CLI are counted by command; "version -json" does not
// start it again. It does not run beside other tests: a process that one of them is starting has
// the script open for a moment, which then cannot be executed (text file busy).
func TestLaunched(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "the cli")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	launched, err := CLI{Path: program, Product: Terraform}.Launched(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{{"version", "-json"}, {"version"}, {"plan", "two words"}, {"plan"}} {
		if err := exec.CommandContext(t.Context(), launched.Path, arguments...).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if counted, err := Starts(dir); err != nil || !maps.Equal(counted, map[string]int{"version": 1, "plan": 2}) {
		t.Errorf("starts are counted as %v (%v)", counted, err)
	}
	if err := ForgetStarts(dir); err != nil {
		t.Fatal(err)
	}
	if counted, err := Starts(dir); err != nil || len(counted) != 0 {
		t.Errorf("forgotten starts are counted: %v (%v)", counted, err)
	}
}
