package review

import (
	"strings"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// textRows is the number of rows of a table on a terminal.
const textRows = 200

// Text is the review for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString(r.Headline.Plain(phrase.English) + "\n")
	for _, note := range r.boundedNotes(textRows) {
		b.WriteString("\nNote: " + note.Plain(phrase.English) + "\n")
	}
	for _, t := range r.tables() {
		b.WriteString("\n" + t.bounded(textRows).text())
	}
	for _, line := range r.lastLines() {
		b.WriteString("\n" + line.Plain(phrase.English) + "\n")
	}
	return b.String()
}

func (t table) text() string {
	var b strings.Builder
	b.WriteString(string(t.title) + "\n")
	for _, line := range t.lines {
		b.WriteString("  " + line.Plain(phrase.English) + "\n")
	}
	rows := [][]string{{}}
	for _, column := range t.columns {
		rows[0] = append(rows[0], strings.ToUpper(string(column)))
	}
	for _, cells := range t.rows {
		var row []string
		for _, cell := range cells {
			row = append(row, cell.Write(phrase.English, phrase.Text))
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(t.columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	if len(t.rows) == 0 {
		rows = nil
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if t.more > 0 {
		b.WriteString("  " + t.moreLine().Plain(phrase.English) + "\n")
	}
	return b.String()
}
