package review

import (
	"strings"

	"golang.org/x/text/width"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// Text is the review for a terminal, with all rows, and with all of what a row cuts below them.
func (r *Report) Text() string {
	w := text{Report: r, isWhole: map[string]bool{}}
	w.lines(r.Headline)
	for _, line := range r.verdictLines() {
		w.b.WriteString("- " + w.write(line) + "\n")
	}
	for _, note := range r.Notes {
		w.lines(nil, phrase.Say("Note: {}", note))
	}
	for _, t := range r.tables() {
		w.table(t)
	}
	for _, values := range r.titledValues() {
		if t := values.table(); len(t.rows) > 0 {
			w.table(t)
			w.longValues(values.all)
		}
	}
	for _, t := range r.closing(0) {
		w.table(t)
	}
	for _, line := range r.lastLines() {
		w.lines(nil, line)
	}
	w.texts()
	return w.b.String()
}

// text writes a review for a terminal.
type text struct {
	*Report
	b strings.Builder
	// cut are the values, without their secrets, that are cut somewhere, and isWhole those that were written as a whole.
	cut     []string
	isWhole map[string]bool
}

func (w *text) write(p phrase.Phrase) string { return p.Write(w.language, w.quoted) }

// quoted escapes a value, and notes one that is cut.
func (w *text) quoted(value string) string {
	if isLong := len(value) > phrase.MaxShown || strings.Contains(value, "\n"); isLong && phrase.IsCut(value, phrase.MaxShown) {
		w.cut = append(w.cut, value)
	}
	return w.language.Quoted(value)
}

func (w *text) lines(all ...phrase.Phrase) {
	for _, line := range all {
		w.b.WriteString(w.write(line) + "\n")
	}
}

// whole is a value as a whole, below a title.
func (w *text) whole(title phrase.Phrase, value string) {
	if w.lines(nil); len(title) > 0 {
		w.lines(title)
	}
	for _, line := range phrase.Lines(value) {
		w.b.WriteString(printable.Prefix + line + "\n")
	}
	w.isWhole[secrets.Masked(value)] = true
}

// texts are what was cut and is not a whole anywhere else.
func (w *text) texts() {
	title := phrase.Say("Texts that are cut above")
	for _, value := range w.cut {
		if !w.isWhole[value] {
			w.whole(title, value)
			title = nil
		}
	}
}

// table has all values.
func (v titledValues) table() table {
	t := table{title: v.title, columns: append([]phrase.Words{"Object"}, valueColumns...)}
	for _, v := range v.all {
		name := phrase.Show(v.Address)
		for _, d := range v.Changes {
			t.rows = append(t.rows, []phrase.Phrase{name, phrase.Show(d.Path), d.before(), d.after()})
			name = nil
		}
	}
	return t
}

// longValues are the values that are cut in the rows, as a whole.
func (w *text) longValues(all []Values) {
	for _, v := range all {
		for _, d := range v.Changes {
			path := phrase.Say("{}: {}", phrase.Show(v.Address), phrase.Show(d.Path))
			for _, side := range []struct {
				title phrase.Words
				value string
			}{{"{}, before", d.Before}, {"{}, after", d.After}} {
				if isText(side.value) && phrase.IsCut(side.value, phrase.MaxShown) {
					w.whole(phrase.Say(side.title, path), side.value)
				}
			}
		}
	}
}

// columnsOf is how many columns of a terminal a text takes: two for a letter or sign of Chinese.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

func (w *text) table(t table) {
	w.lines(nil, phrase.Say(t.title))
	for _, line := range t.lines {
		w.b.WriteString("  " + w.write(line) + "\n")
	}
	rows := [][]string{{}}
	for _, column := range t.columns {
		rows[0] = append(rows[0], strings.ToUpper(w.write(phrase.Say(column))))
	}
	for _, cells := range t.rows {
		var row []string
		for _, cell := range cells {
			row = append(row, w.write(cell))
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(t.columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columnsOf(cell))
		}
	}
	if len(t.rows) == 0 {
		rows = nil
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", widths[i]-columnsOf(cell)+1)
		}
		w.b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for i, value := range t.whole {
		if phrase.IsCut(value, phrase.MaxShown) {
			w.whole(t.rows[i][1], value)
		}
	}
}
