package parentprocess

import "os"

// waitForEnd returns once the parent has ended. A process keeps the number of
// its parent here, and the system lets it wait for any process. A parent that
// cannot be found or waited for tells nothing.
func waitForEnd(parent int) (ended bool) {
	process, err := os.FindProcess(parent)
	if err != nil {
		return false
	}
	_, err = process.Wait()
	return err == nil
}
