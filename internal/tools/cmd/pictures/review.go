package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// reviewOf is the text of the review that the picture shows.
func reviewOf(root string) (string, error) {
	content, err := os.ReadFile(filepath.Join(root, "internal", "review", "testdata", "replaced-serving", "review.txt"))
	if err != nil {
		return "", fmt.Errorf("read the review: %w", err)
	}
	return string(content), nil
}

// widths are those of the columns of the tables in a review that the picture shows, by their titles.
var widths = map[string][]int{"Who may see which data": {84, 140, 84, 84, 368}, "What runs": {62, 48, 230, 80, 66, 274}}

// review shows the review of a plan as a comment on a pull request.
func review(text string) *canvas {
	c := newCanvas("A review of a plan, as a comment on a pull request",
		"A comment by kuscia-review. It says in a sentence what the plan does, with the worst first, draws the serving, the domains and the data that the plan touches, and lists who may see which data, and the servings with their images, models and replicas.", 0)
	parts := strings.Split(strings.TrimSpace(text), "\n\n")
	headline, _, _ := strings.Cut(parts[0], "\n")
	c.write("t", point{20, 24}, wrap("Kuscia: "+headline, 760)...)
	c.reviewGraph()
	y := 156
	for _, part := range parts[1:] {
		lines := strings.Split(part, "\n")
		if columns, ok := widths[lines[0]]; ok {
			y = c.reviewTable(y, lines, columns) + 26
		}
	}
	c.height = y - 18
	return c
}

// reviewGraph draws the graph as a browser does.
func (c *canvas) reviewGraph() {
	serving := c.oval(area{20, 58, 184, 58}, bad, "credit", "model-server:1.0", "-/+ replaced")
	alice := c.box(area{346, 60, 84, 30}, plain, "alice")
	scores := c.cylinder(area{470, 46, 116, 62}, bad, "scores", "-/+ replaced")
	bob := c.box(area{692, 60, 84, 30}, plain, "bob")
	c.line("", []point{{serving.right().x, 75}, {alice.x, 75}})
	c.line("", []point{{alice.right().x, 75}, {scores.x, 75}})
	c.arrow(point{scores.right().x, 75}, point{bob.x, 75})
	c.label("middle", point{639, 68}, "may use")
	c.label("middle", point{639, 91}, "-/+ replaced")
	c.line(`stroke-dasharray="3 3"`, []point{{serving.right().x, 97}, {236, 97}, {236, 126}, {bob.middle(), 126}, bob.bottomAt(bob.middle())})
	c.label("middle", point{430, 120}, "- gone")
}

// reviewTable draws a part of a review in text, and returns where it ends.
func (c *canvas) reviewTable(y int, lines []string, columns []int) int {
	c.write("t h", point{20, y}, lines[0])
	starts, y := []int(nil), y+lineHeight+6
	for _, line := range lines[1:] {
		if starts == nil && strings.ToUpper(line) != line {
			c.write("t", point{20, y}, strings.TrimSpace(line))
			y += lineHeight + 4
			continue
		}
		class := "t"
		if starts == nil {
			class, starts = "d", columnStarts(line)
		}
		x, height := 20, 1
		for i, cell := range cells(line, starts) {
			wrapped := wrap(cell, columns[i]-12)
			c.write(class, point{x, y}, wrapped...)
			x, height = x+columns[i], max(height, len(wrapped))
		}
		y += height*lineHeight + 4
	}
	return y - lineHeight
}

// columnStarts are the places at which the names of columns begin.
func columnStarts(head string) (starts []int) {
	for i := range head {
		if head[i] != ' ' && (i < 2 || head[i-2:i] == "  ") {
			starts = append(starts, i)
		}
	}
	return starts
}

// cells are the texts of a row.
func cells(line string, starts []int) (texts []string) {
	row := []rune(line)
	for i, start := range starts {
		end := len(row)
		if i+1 < len(starts) {
			end = min(end, starts[i+1])
		}
		texts = append(texts, strings.TrimSpace(string(row[min(start, len(row)):end])))
	}
	return texts
}

// wrap breaks a text into lines of a width.
func wrap(text string, limit int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && width(longer, small) > limit {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	if line == "" {
		return nil
	}
	return append(lines, line)
}
