package acctest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DependOnSources reads the folders with the sources of a module. The go command takes note of
// the folders that a test reads, with the sizes and times of the files in them: it runs a test
// that builds a program of the module again, and takes no cached result, after a source has
// changed.
func DependOnSources(module string) error {
	err := filepath.WalkDir(filepath.Join(module, "internal"), func(_ string, _ fs.DirEntry, err error) error { return err })
	for _, file := range []string{"main.go", "go.mod", "go.sum"} {
		if err == nil {
			_, err = os.Stat(filepath.Join(module, file))
		}
	}
	if err != nil {
		return fmt.Errorf("reading the folders of the sources: %w", err)
	}
	return nil
}
