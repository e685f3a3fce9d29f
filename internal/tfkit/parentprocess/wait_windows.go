package parentprocess

import "os"

// waitForEnd returns when the parent has ended. On Windows the parent process
// id does not change, and any process can be waited for. ended is false if the
// parent cannot be opened or waited for.
func waitForEnd(parent int) (ended bool) {
	process, err := os.FindProcess(parent)
	if err != nil {
		return false
	}
	_, err = process.Wait()
	return err == nil
}
