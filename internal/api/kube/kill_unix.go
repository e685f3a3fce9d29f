//go:build !windows

package kube

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of a command's context kill what it has started too.
func killGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
