//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// root is the project's directory, relative to this package.
const root = "../../../.."

// TestDemo runs the demo as users do, to the end and with Ctrl-C. No file may be left behind; TestReapLeavesNothing is about processes.
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

	for name, tc := range map[string]struct {
		// interruptedAt is the text in the output after which a user ends the demo.
		interruptedAt string
		// code is the exit code, printed are texts in the output.
		code    int
		printed []string
	}{
		"to the end": {
			printed: []string{"Apply complete! Resources: 2 added", "No changes.", "1 changed", "Error: Domain does not exist", "DOMAIN  ROLE  STATE", "2 changed", "Destroy complete! Resources: 2 destroyed.", "Done in", "What to try next"},
		},
		"Ctrl-C during an apply": {interruptedAt: "kuscia_serving.glm: Creating...", code: exitInterrupted, printed: []string{"Interrupted."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// All processes of the demo have this directory in their path.
			temp := t.TempDir()
			cmd := exec.CommandContext(t.Context(), program, "-root", root, "-bin", t.TempDir())
			// The demo links two programs, faster without debug information.
			cmd.Env = append(os.Environ(), "TMPDIR="+temp, "TF_ACC_TERRAFORM_PATH="+cli, "GOFLAGS="+os.Getenv("GOFLAGS")+" -ldflags=-w")
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
			acted := tc.interruptedAt == ""
			for lines := bufio.NewScanner(output); lines.Scan(); {
				printed.WriteString(lines.Text() + "\n")
				if !acted && strings.Contains(lines.Text(), tc.interruptedAt) {
					acted = true
					if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
						t.Error(err)
					}
				}
			}
			// The result is in the exit code.
			_ = cmd.Wait()
			printed.WriteString(problems.String())

			if !acted {
				t.Errorf("%q was not printed", tc.interruptedAt)
			}
			if got := cmd.ProcessState.ExitCode(); got != tc.code {
				t.Errorf("exit code %d, want %d", got, tc.code)
			}
			for _, want := range tc.printed {
				if !strings.Contains(printed.String(), want) {
					t.Errorf("%q was not printed", want)
				}
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("%v was left behind (%v)", left, err)
			}
			if t.Failed() {
				t.Log(printed.String())
			}
		})
	}
}

// TestScenes prints the scenes of the recording.
func TestScenes(t *testing.T) {
	t.Parallel()
	kubetest := os.Getenv("KUSCIA_TEST_KUBETEST")
	if testing.Short() || os.Getenv("TF_ACC") == "" || kubetest == "" {
		t.Skip("not with -short: it starts a Kubernetes API, and the CLI nine times (make test-long)")
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", ".", "-root", root, "-bin", filepath.Dir(kubetest), "-scenes")
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if scenes := strings.Count(string(output), nextScene+"\n"); scenes != 4 {
		t.Errorf("%d scenes", scenes)
	}
	for _, want := range []string{"Apply complete! Resources: 2 added", "0 to add, 1 to change", "has no such field", "ImagePullBackOff"} {
		if !strings.Contains(string(output), want) {
			t.Errorf("%q was not printed", want)
		}
	}
	if t.Failed() {
		t.Logf("%s", output)
	}
}
