//go:build !windows

package parentprocess

import (
	"os"
	"time"
)

// lookEvery is the poll interval. A poll is one system call.
const lookEvery = 250 * time.Millisecond

// waitForEnd returns when the parent process id changes: the system assigns the
// children of an ended process to another one.
func waitForEnd(parent int) (ended bool) {
	for os.Getppid() == parent {
		time.Sleep(lookEvery)
	}
	return true
}
