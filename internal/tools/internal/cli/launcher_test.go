package cli

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The launched CLI is the CLI: arguments, output and exit code. Only "version -json" does
// not start it again.
//
// It does not run beside other tests: a process that one of them is starting has the
// script open for a moment, which then cannot be executed (text file busy).
func TestLaunched(t *testing.T) { //nolint:paralleltest // see above
	dir := filepath.Join(t.TempDir(), "it's here")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	started := filepath.Join(dir, "started")
	program := filepath.Join(dir, "the cli")
	script := "#!/bin/sh\necho >>" + ShellQuote(started) + "\nfor a; do echo \"<$a>\"; done\n[ $# = 2 ] || exit 3\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	launched, err := CLI{Path: program, Product: Terraform, Version: "1.11.4"}.Launched(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if launched.Path == program || launched.Version != "1.11.4" {
		t.Fatalf("%+v", launched)
	}

	if again, err := launched.Launched(t.Context(), dir); err != nil || again != launched {
		t.Errorf("launched again: %+v, %v", again, err)
	}

	for _, tc := range []struct {
		arguments    []string
		output       string
		code, starts int
	}{
		{[]string{"version", "-json"}, "<version>\n<-json>\n", 0, 1},
		{[]string{"version"}, "<version>\n", 3, 2},
		{[]string{"version", "-json", "-x"}, "<version>\n<-json>\n<-x>\n", 3, 3},
		{[]string{"plan", "two words $HOME 'x'"}, "<plan>\n<two words $HOME 'x'>\n", 0, 4},
		{nil, "", 3, 5},
	} {
		cmd := exec.CommandContext(t.Context(), launched.Path, tc.arguments...)
		output, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if string(output) != tc.output || cmd.ProcessState.ExitCode() != tc.code {
			t.Errorf("%q: %q, code %d", tc.arguments, output, cmd.ProcessState.ExitCode())
		}
		if starts, _ := os.ReadFile(started); len(starts) != tc.starts {
			t.Errorf("%q: the CLI was started %d times, want %d", tc.arguments, len(starts), tc.starts)
		}
	}
	counted, err := Starts(dir)
	if want := map[string]int{"version": 2, "plan": 1, "": 1}; err != nil || !maps.Equal(counted, want) {
		t.Errorf("starts are counted as %v (%v), want %v", counted, err, want)
	}
	if err := ForgetStarts(dir); err != nil {
		t.Fatal(err)
	}
	if counted, err := Starts(dir); err != nil || len(counted) != 0 {
		t.Errorf("forgotten starts are counted: %v (%v)", counted, err)
	}
	if _, err := (CLI{Path: filepath.Join(dir, "missing"), Product: Terraform}).Launched(t.Context(), dir); err == nil {
		t.Error("a missing CLI was launched")
	}
}
