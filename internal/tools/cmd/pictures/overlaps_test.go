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
	for i, box := range c.boxes {
		for _, other := range c.boxes[:i] {
			if box.overlaps(other) {
				report("the boxes %v and %v overlap", other, box)
			}
		}
		for _, frame := range c.frames {
			if box.overlaps(frame) && !box.within(frame) {
				report("the box %v is on the border %v", box, frame)
			}
		}
	}
	for i, text := range c.texts {
		for _, other := range c.texts[:i] {
			if text.overlaps(other) {
				report("the labels %v and %v overlap", other, text)
			}
		}
		for _, box := range c.boxes {
			if text.overlaps(box) {
				report("the label %v is on the box %v", text, box)
			}
		}
	}
	for _, segment := range c.segments() {
		for _, box := range c.boxes {
			if segment.overlaps(box) {
				report("a line goes through the box %v", box)
			}
		}
		for _, text := range c.texts {
			if segment.overlaps(text) {
				report("a label is on a line at %v", text)
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
