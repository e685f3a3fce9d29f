// Package svg writes the project's pictures as SVG files. Each of them is one file
// for light and for dark pages, loads nothing from elsewhere and has a title.
package svg

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Width is the width of every picture: what a page on GitHub shows without scaling.
const Width = 800

// Color is a color on light and on dark pages.
type Color struct{ Light, Dark string }

// Colors of every picture. The background is part of the picture, so that it stays
// readable on a page whose colors are not those of the reader's system.
var (
	Background = Color{"#ffffff", "#0d1117"}
	Border     = Color{"#d0d7de", "#30363d"}
	Text       = Color{"#1f2328", "#e6edf3"}
	Dim        = Color{"#59636e", "#a8b1bb"}
)

// Rule sets a property of a class, "fill" or "stroke", to a color.
type Rule struct {
	Class, Property string
	Color           Color
}

// Document is a picture.
type Document struct {
	// Title says what the picture shows; it is also the alternative text of the
	// pages. Description is its content in words.
	Title, Description string
	Height             int
	// Rules are the colors of the classes in Body, Style is other CSS.
	Rules []Rule
	Style string
	Body  string
}

// String returns the file.
func (d Document) String() string {
	rules := append([]Rule{
		{"bg", "fill", Background}, {"bg", "stroke", Border}, {"t", "fill", Text}, {"d", "fill", Dim},
	}, d.Rules...)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title desc">`+"\n", Width, d.Height)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", Escape(d.Title), Escape(d.Description))
	fmt.Fprintf(&b, "<style>\n%s%s@media (prefers-color-scheme: dark) {\n%s}\n</style>\n",
		d.Style, css(rules, func(c Color) string { return c.Light }), css(rules, func(c Color) string { return c.Dark }))
	fmt.Fprintf(&b, `<rect class="bg" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", Width-1, d.Height-1)
	b.WriteString(d.Body)
	b.WriteString("</svg>\n")
	return b.String()
}

func css(rules []Rule, pick func(Color) string) string {
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, ".%s{%s:%s}\n", r.Class, r.Property, pick(r.Color))
	}
	return b.String()
}

// Escape returns a text as content of an element.
func Escape(text string) string {
	var b strings.Builder
	// The writer never fails.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
