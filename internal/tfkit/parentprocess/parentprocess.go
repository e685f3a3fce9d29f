// Package parentprocess ends a provider whose CLI is gone. The CLI ends its
// providers when it is done, unless it is killed: a provider would then go on
// with what nobody asks for any more, and hold what the next run needs.
package parentprocess

import "os"

// Watch ends this process once its parent has ended. It returns at once and
// watches in the background. Call it where the parent is the CLI: in debug mode
// it is not.
func Watch() {
	parent := os.Getppid()
	go func() {
		if waitForEnd(parent) {
			os.Exit(exitCode)
		}
	}()
}

// exitCode is seen by nobody but those who look at processes.
const exitCode = 3
