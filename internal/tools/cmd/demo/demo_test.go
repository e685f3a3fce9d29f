//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// root is the project's directory, relative to this package.
const root = "../../../.."

// TestDemo runs the demo as users do, and ends it in every way in which a user
// can. No process and no file may be left behind.
func TestDemo(t *testing.T) {
	t.Parallel()
	cli := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if os.Getenv("TF_ACC") == "" || cli == "" {
		t.Skip("the demo needs a Terraform or OpenTofu CLI: run make test")
	}
	program := filepath.Join(t.TempDir(), "demo")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	signal := func(s syscall.Signal) func(*testing.T, *exec.Cmd, io.Closer) {
		return func(t *testing.T, cmd *exec.Cmd, _ io.Closer) {
			t.Helper()
			if err := cmd.Process.Signal(s); err != nil {
				t.Error(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		cli string
		// at is the text in the output after which act runs.
		at  string
		act func(*testing.T, *exec.Cmd, io.Closer)
		// code is the exit code, printed are texts in the output.
		code    int
		printed []string
	}{
		"to the end": {
			cli: cli, code: 0,
			printed: []string{"Apply complete! Resources: 2 added", "No changes.", "1 changed", "Error: Domain does not exist", "DOMAIN  ROLE  STATE", "2 changed", "Destroy complete! Resources: 2 destroyed.", "Done in", "What to try next"},
		},
		"Ctrl-C during an apply": {
			cli: cli, at: "kuscia_serving.glm: Creating...", act: signal(syscall.SIGINT), code: exitInterrupted, printed: []string{"Interrupted."},
		},
		"an apply fails": {
			cli: failingCLI(t, cli), code: 1, printed: []string{"no apply today", "The demo failed", "The sandbox is stopped"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// All processes of the demo have this directory in their path.
			temp := t.TempDir()
			cmd := exec.CommandContext(t.Context(), program, "-root", root, "-bin", t.TempDir())
			// The demo links two programs, faster without debug information.
			cmd.Env = append(os.Environ(), "TMPDIR="+temp, "TF_ACC_TERRAFORM_PATH="+tc.cli, "GOFLAGS="+os.Getenv("GOFLAGS")+" -ldflags=-w")
			output, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var problems bytes.Buffer
			cmd.Stderr = &problems
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}

			var printed strings.Builder
			acted := tc.at == ""
			for lines := bufio.NewScanner(output); lines.Scan(); {
				printed.WriteString(lines.Text() + "\n")
				if !acted && strings.Contains(lines.Text(), tc.at) {
					acted = true
					tc.act(t, cmd, output)
				}
			}
			// The result is in the exit code.
			_ = cmd.Wait()
			printed.WriteString(problems.String())

			if !acted {
				t.Errorf("%q was not printed", tc.at)
			}
			if got := cmd.ProcessState.ExitCode(); got != tc.code {
				t.Errorf("exit code %d, want %d", got, tc.code)
			}
			for _, want := range tc.printed {
				if !strings.Contains(printed.String(), want) {
					t.Errorf("%q was not printed", want)
				}
			}
			nothingLeft(t, temp)
			if t.Failed() {
				t.Log(printed.String())
			}
		})
	}
}

// failingCLI is a CLI in which apply fails.
func failingCLI(t *testing.T, cli string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terraform")
	script := "#!/bin/sh\nif [ \"$1\" = apply ]; then echo 'no apply today'; exit 1; fi\nexec '" + cli + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// nothingLeft checks for remaining processes and files of the demo.
func nothingLeft(t *testing.T, temp string) {
	t.Helper()
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Errorf("%s was left behind", entry.Name())
	}
	// A killed process may take a moment to disappear.
	var left []string
	for range 50 {
		left = nil
		processes, err := exec.CommandContext(t.Context(), "ps", "-eo", "args").Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(processes)) {
			if strings.Contains(line, temp) {
				left = append(left, line)
			}
		}
		if left == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("processes were left behind:\n%s", strings.Join(left, ""))
}
