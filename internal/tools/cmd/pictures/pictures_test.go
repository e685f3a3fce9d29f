package main

import (
	"os"
	"path/filepath"
	"testing"
)

const root = "../../../.."

func allDrawings(t *testing.T) map[string]*canvas {
	t.Helper()
	all, err := drawings(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPicturesAreUpToDate: the files are what the program draws.
func TestPicturesAreUpToDate(t *testing.T) {
	t.Parallel()
	for name, drawing := range allDrawings(t) {
		content, err := os.ReadFile(filepath.Join(root, ".github", "pictures", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(content) != drawing.file() {
			t.Errorf(".github/pictures/%s is not up to date: run make pictures", name)
		}
	}
}

// TestNothingOverlaps: every text fits in its box, boxes are apart and inside the
// picture, lines go around boxes, and labels are beside boxes, lines and each other.
func TestNothingOverlaps(t *testing.T) {
	t.Parallel()
	for name, c := range allDrawings(t) {
		for _, problem := range overlaps(c) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}
