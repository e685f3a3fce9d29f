package main

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/svg"
)

// overlaps are the faults of a drawing.
func overlaps(c *canvas) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for text, size := range c.fits {
		if size[0] > size[1] {
			report("%q does not fit in its box: %d, not %d", text, size[0], size[1])
		}
	}
	for _, a := range slices.Concat(c.boxes, c.texts, c.frames) {
		if !a.within(area{0, 0, svg.Width, c.height}) {
			report("%v is not inside the picture", a)
		}
	}
	all := slices.Concat(c.boxes, c.texts)
	for i, a := range all {
		for _, b := range slices.Concat(all[:i], c.segments()) {
			if a.overlaps(b) {
				report("%v overlaps %v", a, b)
			}
		}
	}
	for _, box := range c.boxes {
		for _, frame := range c.frames {
			if box.overlaps(frame) && !box.within(frame) {
				report("the box %v is on the border %v", box, frame)
			}
		}
	}
	return problems
}

// segments are the parts of lines, all of which are horizontal or vertical.
func (c *canvas) segments() (segments []area) {
	for _, line := range c.lines {
		for i := range line[1:] {
			from, to := line[i], line[i+1]
			segments = append(segments, area{min(from.x, to.x), min(from.y, to.y), abs(from.x - to.x), abs(from.y - to.y)})
		}
	}
	return segments
}

func (a area) within(b area) bool {
	return a.x >= b.x && a.y >= b.y && a.x+a.w <= b.x+b.w && a.y+a.h <= b.y+b.h
}

// overlaps reports whether the areas have more than their edges in common.
func (a area) overlaps(b area) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

func abs(n int) int { return max(n, -n) }
