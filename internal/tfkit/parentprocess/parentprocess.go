// Package parentprocess ends a provider when its CLI has ended. The CLI stops
// its providers, unless it is killed: the provider would then continue to run,
// and hold resources that the next run needs.
package parentprocess

import "os"

// Watch ends this process when its parent has ended. It returns immediately and
// watches in the background. Do not call it in debug mode, where the parent is
// not the CLI.
func Watch() {
	parent := os.Getppid()
	go func() {
		if waitForEnd(parent) {
			os.Exit(exitCode)
		}
	}()
}

// exitCode is only visible in process accounting.
const exitCode = 3
