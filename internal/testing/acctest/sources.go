package acctest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// DependOnSources looks at every source file of a module, so that "go test" runs a test that
// builds a program of it again, and takes no cached result, after any of them has changed.
func DependOnSources(module string) error {
	err := filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != module:
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			_, err = os.Stat(path) // the go command takes note of it
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("looking at the sources: %w", err)
	}
	return nil
}
