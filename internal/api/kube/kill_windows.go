package kube

import "os/exec"

// killGroup does nothing: the end of a command's context kills the command.
func killGroup(*exec.Cmd) {}
