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
func drawings() map[string]*canvas {
	return map[string]*canvas{
		"overview.svg":       overview(english),
		"overview.zh-CN.svg": overview(chinese),
		"federation.svg":     federation(),
		"release.svg":        release(),
		"failed-apply.svg":   failedApply(),
		"edge-node.svg":      edgeNode(),
	}
}

// run writes the drawings.
func run(root string) error {
	for name, drawing := range drawings() {
		if err := os.WriteFile(filepath.Join(root, ".github", "pictures", name), []byte(drawing.file()), 0o644); err != nil {
			return fmt.Errorf("draw: %w", err)
		}
	}
	return nil
}
