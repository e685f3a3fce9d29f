package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/svg"
)

// tone is the color of a box.
type tone string

// The tones. Their classes are in colors.
const (
	plain    tone = "plain"
	provider tone = "prov"
	good     tone = "good"
	warning  tone = "warn"
	bad      tone = "bad"
)

// fonts are those of the pages, with Chinese ones.
const fonts = `-apple-system,"Segoe UI",Helvetica,Arial,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif`

const style = "text{font:12px " + fonts + "}\n.h{font-weight:600;font-size:14px}\n.l{fill:none;stroke-width:1.5}\n.f{fill:none;stroke-dasharray:5 4}\n.m{text-anchor:middle}\n.e{text-anchor:end}\n"

var colors = []svg.Rule{
	{Class: "plain", Property: "fill", Color: svg.Color{Light: "#f6f8fa", Dark: "#161b22"}},
	{Class: "plain", Property: "stroke", Color: svg.Color{Light: "#afb8c1", Dark: "#484f58"}},
	{Class: "prov", Property: "fill", Color: svg.Color{Light: "#ddf4ff", Dark: "#0c2d6b"}},
	{Class: "prov", Property: "stroke", Color: svg.Color{Light: "#0969da", Dark: "#58a6ff"}},
	{Class: "good", Property: "fill", Color: svg.Color{Light: "#dafbe1", Dark: "#04260f"}},
	{Class: "good", Property: "stroke", Color: svg.Color{Light: "#1a7f37", Dark: "#3fb950"}},
	{Class: "warn", Property: "fill", Color: svg.Color{Light: "#fff8c5", Dark: "#341a00"}},
	{Class: "warn", Property: "stroke", Color: svg.Color{Light: "#9a6700", Dark: "#d29922"}},
	{Class: "bad", Property: "fill", Color: svg.Color{Light: "#ffebe9", Dark: "#490202"}},
	{Class: "bad", Property: "stroke", Color: svg.Color{Light: "#cf222e", Dark: "#f85149"}},
	{Class: "f", Property: "stroke", Color: svg.Color{Light: "#8c959f", Dark: "#6e7681"}},
	{Class: "l", Property: "stroke", Color: svg.Color{Light: "#57606a", Dark: "#9198a1"}},
	{Class: "head", Property: "fill", Color: svg.Color{Light: "#57606a", Dark: "#9198a1"}},
}

// arrowHead is the end of a line; it turns with the line.
const arrowHead = `<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head" d="M0 0 8 4 0 8z"/></marker>` + "\n"

// point is a place on the canvas.
type point struct{ x, y int }

// area is a rectangle on the canvas.
type area struct{ x, y, w, h int }

func (a area) left() point  { return point{a.x, a.y + a.h/2} }
func (a area) right() point { return point{a.x + a.w, a.y + a.h/2} }

// topAt and bottomAt are the points of the edges at x.
func (a area) topAt(x int) point    { return point{x, a.y} }
func (a area) bottomAt(x int) point { return point{x, a.y + a.h} }
func (a area) middle() int          { return a.x + a.w/2 }

// canvas collects the shapes of a drawing. The lists are what the tests check.
type canvas struct {
	title, description   string
	height               int
	body                 strings.Builder
	boxes, texts, frames []area
	lines                [][]point
	// fits are the texts in boxes with the width that they may have.
	fits map[string][2]int
}

func newCanvas(title, description string, height int) *canvas {
	c := &canvas{title: title, description: description, height: height, fits: map[string][2]int{}}
	c.body.WriteString(arrowHead)
	return c
}

// file returns the drawing as an SVG file.
func (c *canvas) file() string {
	return svg.Document{Title: c.title, Description: c.description, Height: c.height, Rules: colors, Style: style, Body: c.body.String()}.String()
}

const (
	lineHeight = 17
	// padding is the space between the border of a box and its text.
	padding = 4
)

// box draws a box with a heading and lines of text in its middle.
func (c *canvas) box(a area, t tone, head string, lines ...string) area {
	fmt.Fprintf(&c.body, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="6"/>`+"\n", t, a.x, a.y, a.w, a.h)
	c.boxes = append(c.boxes, a)
	c.fill(a, head, lines...)
	return a
}

// fill writes a heading and lines of text into the middle of an area.
func (c *canvas) fill(a area, head string, lines ...string) {
	y := a.y + (a.h-lineHeight*(len(lines)+1))/2 + 13
	for i, line := range append([]string{head}, lines...) {
		class, size := "d m", small
		if i == 0 {
			class, size = "t h m", heading
		}
		fmt.Fprintf(&c.body, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, a.middle(), y+i*lineHeight, svg.Escape(line))
		c.fits[line] = [2]int{width(line, size), a.w - 2*padding}
	}
	c.fits[head+" (height)"] = [2]int{lineHeight * (len(lines) + 1), a.h}
}

// frame draws a border around other shapes, with a label in its upper left corner
// unless it is "".
func (c *canvas) frame(a area, label string) area {
	fmt.Fprintf(&c.body, `<rect class="f" x="%d" y="%d" width="%d" height="%d" rx="8"/>`+"\n", a.x, a.y, a.w, a.h)
	if label != "" {
		c.label("start", point{a.x + 12, a.y + 19}, label)
	}
	c.frames = append(c.frames, a)
	return a
}

// arrow draws a line with a head at its end.
func (c *canvas) arrow(points ...point) { c.line(`marker-end="url(#a)"`, points) }

// both draws a line with heads at both ends.
func (c *canvas) both(points ...point) {
	c.line(`marker-start="url(#a)" marker-end="url(#a)"`, points)
}

func (c *canvas) line(markers string, points []point) {
	path := make([]string, len(points))
	for i, p := range points {
		path[i] = fmt.Sprintf("%d,%d", p.x, p.y)
	}
	fmt.Fprintf(&c.body, `<polyline class="l" points="%s" %s/>`+"\n", strings.Join(path, " "), markers)
	c.lines = append(c.lines, points)
}

// label draws lines of text that start, have their middle or end at a point.
func (c *canvas) label(anchor string, at point, lines ...string) {
	for i, line := range lines {
		y, w := at.y+i*lineHeight, width(line, small)
		class, x := "d", at.x
		switch anchor {
		case "middle":
			class, x = "d m", at.x-w/2
		case "end":
			class, x = "d e", at.x-w
		}
		fmt.Fprintf(&c.body, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, at.x, y, svg.Escape(line))
		c.texts = append(c.texts, area{x, y - 10, w, 13})
	}
}

// dots draws circles, the first ones filled.
func (c *canvas) dots(at point, number, filled int) {
	for i := range number {
		t := plain
		if i < filled {
			t = good
		}
		fmt.Fprintf(&c.body, `<circle class="%s" cx="%d" cy="%d" r="7"/>`+"\n", t, at.x+22*i, at.y)
	}
}

// The sizes of texts; headings are bold.
const (
	small   = 12
	heading = 14
)

// width is about the width of a text in a wide font.
func width(text string, size int) int {
	latin := 56 // hundredths of the size
	if size == heading {
		latin = 63
	}
	hundredths := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) || unicode.Is(unicode.Po, r) && r > unicode.MaxLatin1 {
			hundredths += 100
		} else {
			hundredths += latin
		}
	}
	return hundredths * size / 100
}
