// Command pictures draws the pictures of the README and the guides into the folder
// .github/pictures. "make pictures" runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "folder of the project")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// drawings are the drawings by the name of their file.
func drawings(root string) (map[string]*canvas, error) {
	reviewed, err := reviewOf(root)
	if err != nil {
		return nil, err
	}
	return map[string]*canvas{
		"overview.svg":       overview(english),
		"overview.zh-CN.svg": overview(chinese),
		"federation.svg":     federation(),
		"release.svg":        release(),
		"failed-apply.svg":   failedApply(),
		"edge-node.svg":      edgeNode(),
		"review.svg":         review(reviewed),
	}, nil
}

// run writes the drawings.
func run(root string) error {
	all, err := drawings(root)
	if err != nil {
		return err
	}
	for name, drawing := range all {
		if err := os.WriteFile(filepath.Join(root, ".github", "pictures", name), []byte(drawing.file()), 0o644); err != nil {
			return fmt.Errorf("draw: %w", err)
		}
	}
	return nil
}
