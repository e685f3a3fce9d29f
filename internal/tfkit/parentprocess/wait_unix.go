//go:build !windows

package parentprocess

import (
	"os"
	"time"
)

// lookEvery is how often the parent is looked for. A look is one system call.
const lookEvery = 250 * time.Millisecond

// waitForEnd returns once the parent is another process than it was: the system
// gives the children of a process that has ended to another one.
func waitForEnd(parent int) (ended bool) {
	for os.Getppid() == parent {
		time.Sleep(lookEvery)
	}
	return true
}
