package main

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

var escaped = regexp.MustCompile(`#(\d+);`)

// TestReviewGraph: the graph in the picture has the texts of the review's graph.
func TestReviewGraph(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join(root, "internal", "review", "testdata", "replaced-serving", "review.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, graph, _ := strings.Cut(string(content), "```mermaid\n")
	graph, _, _ = strings.Cut(graph, "classDef")
	graph = html.UnescapeString(escaped.ReplaceAllString(graph, "&#$1;"))
	var labels []string
	for _, label := range regexp.MustCompile("\"`([^`]*)`\"").FindAllStringSubmatch(graph, -1) {
		labels = append(labels, strings.Split(label[1], "\n")...)
	}
	c := newCanvas("", "", 0)
	c.reviewGraph()
	drawn := html.UnescapeString(c.body.String())
	if len(labels) < 8 {
		t.Errorf("the graph has the labels %q", labels)
	}
	for _, label := range labels {
		for _, words := range strings.SplitAfter(label, "→ ") {
			if !strings.Contains(drawn, strings.TrimSpace(words)) {
				t.Errorf("the picture does not have %q", words)
			}
		}
	}
}
