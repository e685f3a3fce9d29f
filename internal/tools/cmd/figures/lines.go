package main

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
)

// lines are the lines of Go of a folder.
type lines struct{ product, test int }

// countLines counts by folder, in all modules of the repository.
func countLines(root string) (map[string]lines, error) {
	files, counted := os.DirFS(root), map[string]lines{}
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != "." && (entry.Name() == "testdata" || entry.Name()[0] == '.'):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(file) != ".go":
			return nil
		}
		content, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		of := counted[path.Dir(file)]
		if strings.HasSuffix(file, "_test.go") {
			of.test += bytes.Count(content, []byte("\n"))
		} else {
			of.product += bytes.Count(content, []byte("\n"))
		}
		counted[path.Dir(file)] = of
		return nil
	})
	return counted, err
}
