package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// acquire takes a lock, or returns nil when a living process has it.
func acquire(path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path)
		locked, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", filepath.Base(path), withoutPath(err))
		}
		if !locked {
			return nil, lock.Close()
		}
		// Whoever had it before may have removed the file in between; then this
		// is the lock of a file that nobody else will find.
		if isStill(path, lock) {
			return lock, nil
		}
		if err := lock.Close(); err != nil {
			return nil, fmt.Errorf("unlock %s: %w", filepath.Base(path), err)
		}
	}
}

func isStill(path string, lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(held, there)
}

// release gives a lock back and leaves no file.
func release(lock *flock.Flock) {
	path := lock.Path()
	removed := os.Remove(path)
	_ = lock.Close()
	if removed != nil {
		_ = os.Remove(path) // Windows removes no open file
	}
}

// isFree reports whether a lock that somebody made is held no more. It takes the
// lock shared, so that many can ask at once, and never makes the file.
func isFree(path string) bool {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if free {
		release(lock)
	} else {
		_ = lock.Close()
	}
	return free
}
