package review

import (
	"strings"

	"golang.org/x/text/width"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Text is the review for a terminal, with all rows.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString(r.Headline.Plain(r.language) + "\n")
	for _, line := range r.verdictLines() {
		b.WriteString("- " + line.Plain(r.language) + "\n")
	}
	for _, note := range r.Notes {
		b.WriteString("\n" + phrase.Say("Note: {}", note).Plain(r.language) + "\n")
	}
	for _, t := range r.tables() {
		b.WriteString("\n" + t.text(r.language))
	}
	for _, values := range r.titledValues() {
		if t := values.table(); len(t.rows) > 0 {
			b.WriteString("\n" + t.text(r.language))
			values.long(&b, r.language)
		}
	}
	for _, t := range r.closing(0) {
		b.WriteString("\n" + t.text(r.language))
	}
	for _, line := range r.lastLines() {
		b.WriteString("\n" + line.Plain(r.language) + "\n")
	}
	return b.String()
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

// long are the values that are cut in the rows, as a whole.
func (v titledValues) long(b *strings.Builder, language *phrase.Language) {
	for _, v := range v.all {
		for _, d := range v.Changes {
			path := phrase.Say("{}: {}", phrase.Show(v.Address), phrase.Show(d.Path))
			for _, side := range []struct {
				title phrase.Words
				value string
			}{{"{}, before", d.Before}, {"{}, after", d.After}} {
				if !isText(side.value) || !phrase.IsCut(side.value, phrase.MaxShown) {
					continue
				}
				b.WriteString("\n" + phrase.Say(side.title, path).Plain(language) + "\n")
				for _, line := range phrase.Lines(side.value) {
					b.WriteString(printable.Prefix + line + "\n")
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

func (t table) text(language *phrase.Language) string {
	var b strings.Builder
	b.WriteString(phrase.Say(t.title).Plain(language) + "\n")
	for _, line := range t.lines {
		b.WriteString("  " + line.Plain(language) + "\n")
	}
	rows := [][]string{{}}
	for _, column := range t.columns {
		rows[0] = append(rows[0], strings.ToUpper(phrase.Say(column).Plain(language)))
	}
	for _, cells := range t.rows {
		var row []string
		for _, cell := range cells {
			row = append(row, cell.Plain(language))
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
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
