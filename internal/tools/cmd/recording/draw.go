//go:build unix

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/svg"
)

// The window of the recording.
const (
	rows       = 11
	columns    = 105
	lineHeight = 17
	top        = 34
)

const (
	// longestPause is what remains of a longer pause, together is within which lines
	// appear at once, and rest is the pause at the end, before the recording repeats.
	longestPause = 1200 * time.Millisecond
	together     = 80 * time.Millisecond
	rest         = 6 * time.Second
	// perLine is the time that a reader gets for each line.
	perLine = 120 * time.Millisecond
)

const style = "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation Mono\",monospace;white-space:pre}\n.b{font-weight:700}\n"

var colors = []svg.Rule{
	{Class: "red", Property: "fill", Color: svg.Color{Light: "#cf222e", Dark: "#ff7b72"}},
	{Class: "green", Property: "fill", Color: svg.Color{Light: "#116329", Dark: "#3fb950"}},
	{Class: "yellow", Property: "fill", Color: svg.Color{Light: "#7d4e00", Dark: "#d29922"}},
	{Class: "blue", Property: "fill", Color: svg.Color{Light: "#0550ae", Dark: "#79c0ff"}},
	{Class: "magenta", Property: "fill", Color: svg.Color{Light: "#8250df", Dark: "#d2a8ff"}},
	{Class: "cyan", Property: "fill", Color: svg.Color{Light: "#1b7c83", Dark: "#56d4dd"}},
	{Class: "cover", Property: "fill", Color: svg.Background},
	{Class: "rule", Property: "stroke", Color: svg.Border},
}

// draw returns the picture. All lines are below each other; they scroll in steps, and a
// cover moves down over those that are not printed yet. Without animation, the end is
// visible.
func draw(lines []line) string {
	frames, length := schedule(lines)
	scrolled, covered := func(n int) int { return -lineHeight * max(n-rows, 0) }, func(n int) int { return lineHeight * min(n, rows) }
	var b strings.Builder
	height := top + rows*lineHeight + 14
	fmt.Fprintf(&b, `<text class="d" x="20" y="22">$ make demo</text><path class="rule" d="M1 %d.5H%d"/>`+"\n", top-4, svg.Width-1)
	fmt.Fprintf(&b, `<clipPath id="w"><rect x="1" y="%d" width="%d" height="%d"/></clipPath>`+"\n", top, svg.Width-2, rows*lineHeight+2)
	b.WriteString(`<g clip-path="url(#w)"><g class="scroll" xml:space="preserve">` + "\n")
	for i, l := range lines {
		b.WriteString(text(top+(i+1)*lineHeight-4, cut(spans(l.text), columns)))
	}
	fmt.Fprintf(&b, `</g><rect class="cover" x="1" y="%d" width="%d" height="%d"/></g>`+"\n", top, svg.Width-2, rows*lineHeight+2)

	css := style + fmt.Sprintf(".scroll{transform:translateY(%dpx)}\n.cover{transform:translateY(%dpx)}\n", scrolled(len(lines)), covered(len(lines)))
	css += "@media (prefers-reduced-motion: no-preference) {\n"
	for _, name := range []string{"scroll", "cover"} {
		css += fmt.Sprintf(".%s{animation:%[1]s %.1fs step-end infinite}\n", name, length.Seconds())
	}
	css += "}\n"
	css += keyframes("scroll", frames, length, scrolled) + keyframes("cover", frames, length, covered)
	return svg.Document{
		Title:       "A recording of make demo: a serving is created, changed, mended after a release that fails, and destroyed",
		Description: "The demo builds the provider and a sandbox Kuscia, applies the quickstart until every party runs, plans again without changes, updates the serving in place, and plans a mistake, which is refused. It applies an image that cannot be pulled, which fails with a table of the parties, then the former image again, and destroys everything. Long pauses are shortened.",
		Height:      height, Rules: colors, Style: css, Body: b.String(),
	}.String()
}

// text is a line in the picture, "" for an empty one.
func text(y int, parts []span) string {
	if len(parts) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<text class="t" x="20" y="%d">`, y)
	for _, part := range parts {
		if len(part.classes) == 0 {
			b.WriteString(svg.Escape(part.text))
			continue
		}
		fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, strings.Join(part.classes, " "), svg.Escape(part.text))
	}
	b.WriteString("</text>\n")
	return b.String()
}

// frame is a time at which a number of lines is visible.
type frame struct {
	at    time.Duration
	lines int
}

// schedule returns when how many lines are visible, and the length of the recording.
func schedule(lines []line) (frames []frame, length time.Duration) {
	frames = []frame{{0, 0}}
	var now, before time.Duration
	for i, l := range lines {
		pause := l.at - before
		before = l.at
		if last := &frames[len(frames)-1]; pause < together && i > 0 {
			last.lines = i + 1
			continue
		}
		// What appeared at once is read first.
		appeared := 0
		if last := len(frames) - 1; last > 0 {
			appeared = frames[last].lines - frames[last-1].lines
		}
		now += max(min(pause, longestPause), time.Duration(appeared)*perLine)
		frames = append(frames, frame{now, i + 1})
	}
	return frames, now + rest
}

// keyframes is an animation that moves something vertically at the times of frames.
func keyframes(name string, frames []frame, length time.Duration, offset func(lines int) int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@keyframes %s {\n", name)
	for i, f := range frames {
		if i > 0 && offset(f.lines) == offset(frames[i-1].lines) {
			continue
		}
		fmt.Fprintf(&b, "%.2f%%{transform:translateY(%dpx)}\n", 100*f.at.Seconds()/length.Seconds(), offset(f.lines))
	}
	b.WriteString("}\n")
	return b.String()
}
