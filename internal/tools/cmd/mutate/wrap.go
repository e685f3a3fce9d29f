//go:build unix

package main

import (
	"cmp"
	"slices"
	"strings"
)

// wrap is text before and after a part of another text.
type wrap struct {
	start, end    int
	before, after string
}

// wrapped adds wraps to a text. Those of the same part are in each other, the first
// outside.
func wrapped(text string, wraps []wrap) string {
	type insertion struct {
		at, rank int
		text     string
	}
	slices.SortStableFunc(wraps, func(a, b wrap) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var insertions []insertion
	for i, w := range wraps { // the outer ones are first
		insertions = append(insertions, insertion{w.start, i, w.before}, insertion{w.end, -i - 1, w.after})
	}
	slices.SortStableFunc(insertions, func(a, b insertion) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank)) })
	var result strings.Builder
	at := 0
	for _, i := range insertions {
		result.WriteString(text[at:i.at])
		result.WriteString(i.text)
		at = i.at
	}
	result.WriteString(text[at:])
	return result.String()
}
