// Package textdiff shows what changes in a long text: the lines that change, and of a long line the
// part with the difference.
package textdiff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Sign is what a line is.
type Sign string

// The signs.
const (
	Same    Sign = " "
	Removed Sign = "-"
	Added   Sign = "+"
	// Skipped stands for lines that are the same and not shown.
	Skipped Sign = "@"
)

// Line is a line of a diff.
type Line struct {
	Sign Sign
	Text string
	// From and To are the characters of the line that Text has, if that is a part of its Length.
	From, To, Length int
	// Lines is how many lines are skipped.
	Lines int
	// isCut: the text has not all that changes.
	isCut bool
}

// IsPart reports whether the text is a part of the line.
func (l Line) IsPart() bool { return l.To-l.From < l.Length }

const (
	// context is the number of lines around those that change, and beside that of characters around
	// a difference in a long line.
	context = 2
	beside  = 80
	// longLine is the number of characters from which a line is long.
	longLine = 400
)

// Of are the lines that change, with some around them, in so many characters. Left is the number of
// changed lines that it leaves out or shows in part.
func Of(before, after string, most int) (lines []Line, left int) {
	all := split(before)
	at := 0
	room := most
	add := func(l Line) {
		if l.Sign != Skipped {
			room -= len(l.Text)
			if l.Sign != Same && (room < 0 || l.isCut) {
				left++
			}
			if room < 0 {
				return
			}
		}
		lines = append(lines, l)
	}
	keep := func(from, to int) {
		for _, text := range all[from:to] {
			add(whole(Same, text))
		}
	}
	offset := 0
	for _, edit := range udiff.Lines(before, after) {
		from := at + strings.Count(before[offset:edit.Start], "\n")
		gone := split(before[edit.Start:edit.End])
		if begin := at + context; at > 0 && from-at > 2*context {
			keep(at, begin)
			lines = append(lines, Line{Sign: Skipped, Lines: from - begin - context})
			keep(from-context, from)
		} else if at == 0 && from > context {
			lines = append(lines, Line{Sign: Skipped, Lines: from - context})
			keep(from-context, from)
		} else {
			keep(at, from)
		}
		come := split(edit.New)
		parts := [2][]Line{}
		for i := range max(len(gone), len(come)) {
			switch {
			case i >= len(come):
				parts[0] = append(parts[0], whole(Removed, gone[i]))
			case i >= len(gone):
				parts[1] = append(parts[1], whole(Added, come[i]))
			default:
				was, is := around(gone[i], come[i], most/3)
				parts[0], parts[1] = append(parts[0], was), append(parts[1], is)
			}
		}
		for _, part := range parts {
			for _, l := range part {
				add(l)
			}
		}
		at, offset = from+len(gone), edit.End
	}
	if at > 0 || offset > 0 {
		end := min(len(all), at+context)
		keep(at, end)
		if rest := len(all) - end; rest > 0 {
			lines = append(lines, Line{Sign: Skipped, Lines: rest})
		}
	}
	return lines, left
}

// split are the lines of a text.
func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// whole is a line, of which only the beginning is shown if it is long.
func whole(sign Sign, text string) Line {
	runes := []rune(text)
	to := min(len(runes), longLine)
	return Line{Sign: sign, Text: string(runes[:to]), To: to, Length: len(runes), isCut: to < len(runes)}
}

// around are two lines that are long from the first difference to the last, with some characters
// beside these.
func around(before, after string, most int) (was, is Line) {
	x, y := []rune(before), []rune(after)
	if len(x) <= longLine && len(y) <= longLine {
		return whole(Removed, before), whole(Added, after)
	}
	first, last := 0, 0
	for first < min(len(x), len(y)) && x[first] == y[first] {
		first++
	}
	for last < min(len(x), len(y))-first && x[len(x)-1-last] == y[len(y)-1-last] {
		last++
	}
	part := func(sign Sign, all []rune) Line {
		from := max(0, first-beside)
		to := min(len(all), len(all)-last+beside, from+max(most, 2*beside))
		return Line{Sign: sign, Text: string(all[from:to]), From: from, To: to, Length: len(all), isCut: to < len(all)-last}
	}
	return part(Removed, x), part(Added, y)
}
