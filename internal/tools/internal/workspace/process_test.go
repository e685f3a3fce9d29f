//go:build unix

package workspace

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReapLeavesNothing runs a program that leaves another one behind, and that
// ends in each of the possible ways.
func TestReapLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		script string
		cancel bool
	}{
		"it ends by itself":       {script: "sleep 600 & echo $!; exec >&-"},
		"it is interrupted":       {script: "sleep 600 & echo $!; wait", cancel: true},
		"its child ignores it":    {script: "(trap '' INT TERM; sleep 600) & echo $!; wait", cancel: true},
		"it ends after a warning": {script: "trap 'exit 3' INT; sleep 600 & echo $!; wait", cancel: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cmd := exec.CommandContext(ctx, "sh", "-c", tc.script)
			output, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := Start(cmd); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(output).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			child, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			if tc.cancel {
				cancel()
			}
			if err := Reap(cmd); tc.cancel && err == nil {
				t.Error("an interrupted program is reported as a success")
			}
			for deadline := time.Now().Add(5 * time.Second); running(child); time.Sleep(20 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("process %d is still running", child)
				}
			}
		})
	}
}

// running reports whether a process is running. A zombie process has ended and
// does not count.
func running(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}
