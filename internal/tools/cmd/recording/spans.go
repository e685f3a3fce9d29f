//go:build unix

package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// span is a part of a line with the classes of its colors.
type span struct {
	classes []string
	text    string
}

// codes are the classes of a terminal's codes; others change nothing.
var codes = map[string]string{
	"1": "b", "31": "red", "32": "green", "33": "yellow", "34": "blue", "35": "magenta", "36": "cyan", "90": "d",
	"91": "red", "92": "green", "93": "yellow", "94": "blue", "95": "magenta", "96": "cyan",
}

// escape matches a code of a terminal; those that end in m are colors.
var escape = regexp.MustCompile("\x1b\\[([0-9;]*)([A-Za-z])")

// spans splits a line at the codes of a terminal, which it removes.
func spans(text string) (parts []span) {
	var classes []string
	add := func(text string) {
		if text == "" {
			return
		}
		if last := len(parts) - 1; last >= 0 && slices.Equal(parts[last].classes, classes) {
			parts[last].text += text
			return
		}
		parts = append(parts, span{slices.Clone(classes), text})
	}
	from := 0
	for _, match := range escape.FindAllStringSubmatchIndex(text, -1) {
		add(text[from:match[0]])
		from = match[1]
		if text[match[4]:match[5]] != "m" {
			continue
		}
		for code := range strings.SplitSeq(text[match[2]:match[3]], ";") {
			switch class, known := codes[code]; {
			case code == "0" || code == "":
				classes = nil
			case known && !slices.Contains(classes, class):
				classes = append(classes, class)
			}
		}
	}
	add(text[from:])
	return parts
}

// cut shortens a line to a number of characters.
func cut(parts []span, columns int) []span {
	long := 0
	for _, part := range parts {
		long += utf8.RuneCountInString(part.text)
	}
	if long <= columns {
		return parts
	}
	left := columns - 1 // and the ellipsis
	for i, part := range parts {
		characters := []rune(part.text)
		if len(characters) >= left {
			parts[i].text = string(characters[:left]) + "…"
			return parts[:i+1]
		}
		left -= len(characters)
	}
	return parts
}
