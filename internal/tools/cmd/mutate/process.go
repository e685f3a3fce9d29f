//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	runtime "github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/cmd/mutate/mutant"
)

// outcome is how tests ended.
type outcome string

const (
	passed   outcome = "passed"
	failed   outcome = "failed"
	timedOut outcome = "timed out"
)

// process is a run of some tests of a program, with at most one active mutant.
type process struct {
	program testProgram
	tests   []string
	short   bool
	limit   time.Duration
	// active is the number of a mutant, or 0. reached is a file for the mutants that the
	// tests reach, or "".
	active  int
	reached string
	overlay string
}

// run returns how the tests ended, and what they printed. It leaves no process and no
// file.
func (p process) run(ctx context.Context) (outcome, string, error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(temp)
	limited, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	cmd := exec.CommandContext(limited, p.program.file, "-test.run="+pattern(p.tests),
		"-test.failfast", "-test.paniconexit0", "-test.v", fmt.Sprintf("-test.short=%t", p.short))
	cmd.Dir = p.program.dir
	// A provider that a test compiles has the mutants too. A random case that fails with a mutant is
	// not kept for the next run.
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "RAPID_NOFAILFILE=true", "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+p.overlay,
		runtime.ActiveVariable+"="+strconv.Itoa(p.active), runtime.ReachedVariable+"="+p.reached)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	group := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = group
	cmd.WaitDelay = time.Second // for those of other groups that hold the output
	if err := cmd.Start(); err != nil {
		return "", "", err
	}
	err = cmd.Wait()
	if killErr := group(); killErr != nil && !errors.Is(killErr, syscall.ESRCH) {
		return "", "", killErr
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case limited.Err() != nil:
		return timedOut, output.String(), nil
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return passed, output.String(), nil
	case errors.As(err, &exit):
		return failed, output.String(), nil
	default:
		return "", "", err
	}
}
