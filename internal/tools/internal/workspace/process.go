//go:build unix

package workspace

import (
	"bytes"
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// grace is the time that a process has to end after it was interrupted.
const grace = 15 * time.Second

// Start starts a process in a process group of its own. Ctrl-C in a terminal
// then reaches only the program that the user started, which stops the others
// in order: when the command's context ends, the process is interrupted as by
// Ctrl-C, and Reap ends the processes that it leaves behind.
func Start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = grace
	return cmd.Start()
}

// Reap waits for a process and ends all remaining processes that it started.
func Reap(cmd *exec.Cmd) error {
	err := cmd.Wait()
	// ESRCH: the group has no processes left, as expected.
	if killErr := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); killErr != nil && !errors.Is(killErr, syscall.ESRCH) {
		return errors.Join(err, killErr)
	}
	return err
}

// Run runs a process to its end.
func Run(cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return Reap(cmd)
}

// RunQuietly is Run for a process whose output is shown only if it fails.
func RunQuietly(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := Run(cmd)
	return out.Bytes(), err
}
