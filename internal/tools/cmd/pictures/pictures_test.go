package main

import (
	"os"
	"path/filepath"
	"testing"
)

const root = "../../../.."

// TestPicturesAreUpToDate: the files are what the program draws.
func TestPicturesAreUpToDate(t *testing.T) {
	t.Parallel()
	for name, drawing := range drawings() {
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
	for name, c := range drawings() {
		for _, problem := range overlaps(c) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}
