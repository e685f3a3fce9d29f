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
	// rows is how many lines a scene may have.
	rows       = 26
	columns    = 105
	lineHeight = 17
	top        = 12
)

// length is that of the recording, which then repeats.
const length = 24 * time.Second

const style = "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation Mono\",monospace;white-space:pre}\n.b{font-weight:700}\n"

var colors = []svg.Rule{
	{Class: "red", Property: "fill", Color: svg.Color{Light: "#cf222e", Dark: "#ff7b72"}},
	{Class: "green", Property: "fill", Color: svg.Color{Light: "#116329", Dark: "#3fb950"}},
	{Class: "yellow", Property: "fill", Color: svg.Color{Light: "#7d4e00", Dark: "#d29922"}},
	{Class: "blue", Property: "fill", Color: svg.Color{Light: "#0550ae", Dark: "#79c0ff"}},
	{Class: "magenta", Property: "fill", Color: svg.Color{Light: "#8250df", Dark: "#d2a8ff"}},
	{Class: "cyan", Property: "fill", Color: svg.Color{Light: "#1b7c83", Dark: "#56d4dd"}},
}

// draw returns the picture: one scene after the other, each from its first line, and what a command
// prints a moment after the command. Without animation, the last scene is visible.
func draw(lines []string) (string, error) {
	scenes := split(lines)
	total := 0
	for _, s := range scenes {
		if len(s) > rows {
			return "", fmt.Errorf("a scene has %d lines, more than %d", len(s), rows)
		}
		total += len(s)
	}
	var b, animations, moments strings.Builder
	shown := 0
	for i, s := range scenes {
		class, end := "s", shown+len(s)
		if i == len(scenes)-1 {
			class = "s last"
		}
		for _, part := range parts(s) {
			name := fmt.Sprintf("p%d-%d", i, part.from)
			fmt.Fprintf(&b, `<g class="%s %s" xml:space="preserve">`+"\n", class, name)
			for n, l := range part.lines {
				if isCommand(l) {
					l = "\x1b[34m" + l
				}
				b.WriteString(text(top+(part.from+n+1)*lineHeight-4, cut(spans(l), columns)))
			}
			b.WriteString("</g>\n")
			// What is typed and printed appears in the first half of the scene's time.
			appears := share(shown, total) + (share(end, total)-share(shown, total))*float64(part.from)/float64(len(s))/2
			fmt.Fprintf(&animations, ".%s{animation-name:%[1]s}\n", name)
			moments.WriteString(visible(name, appears, share(end, total)))
		}
		shown = end
	}
	css := style + ".s{opacity:0}\n.last{opacity:1}\n@media (prefers-reduced-motion: no-preference) {\n" +
		fmt.Sprintf(".s{animation:%.0fs step-end infinite}\n", length.Seconds()) + animations.String() + "}\n" + moments.String()
	return svg.Document{
		Title:       "A recording in four scenes: a serving is created, changed, a mistake is refused, and a release fails and says why",
		Description: "Scene 1: the configuration of a serving of alice and bob, and its apply. Scene 2: a second replica of alice, its plan of one line, and its apply. Scene 3: a misspelled field of the configuration text, which the plan refuses with its place and the fields that are allowed. Scene 4: an image that cannot be pulled; the apply fails and names the parties, the pods and the reason.",
		Height:      2*top + rows*lineHeight, Rules: colors, Style: css, Body: b.String(),
	}.String(), nil
}

// split returns the scenes, which begin after a line with a form feed.
func split(lines []string) (scenes [][]string) {
	for _, l := range lines {
		if l == "\f" {
			scenes = append(scenes, nil)
		} else if len(scenes) > 0 {
			scenes[len(scenes)-1] = append(scenes[len(scenes)-1], l)
		}
	}
	return scenes
}

// isCommand reports whether somebody has typed a line.
func isCommand(line string) bool { return strings.HasPrefix(line, "$ ") }

// part is a command, or what it prints, with the number of lines before.
type part struct {
	from  int
	lines []string
}

// parts splits a scene before and after each command.
func parts(scene []string) (found []part) {
	for i, l := range scene {
		if i == 0 || isCommand(l) || isCommand(scene[i-1]) {
			found = append(found, part{from: i})
		}
		last := &found[len(found)-1]
		last.lines = append(last.lines, l)
	}
	return found
}

// share is which part of the recording, in percent, shows a number of lines: each line gets the
// same time to be read.
func share(lines, total int) float64 { return 100 * float64(lines) / float64(total) }

// visible is an animation that shows something from a time to another, in percent.
func visible(name string, from, to float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@keyframes %s {0%%{opacity:0}", name)
	if from == 0 {
		b.Reset()
		fmt.Fprintf(&b, "@keyframes %s {", name)
	}
	fmt.Fprintf(&b, "%.2f%%{opacity:1}", from)
	if to < 100 {
		fmt.Fprintf(&b, "%.2f%%{opacity:0}", to)
	}
	return b.String() + "}\n"
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
