package review

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// valueColumns are those of the values of an object.
var valueColumns = []phrase.Words{"Attribute", "Before", "After"}

// folds are the values of all objects, each in a fold, and how many objects do not have all of
// theirs there.
func (m *markdown) folds() (text string, cut int) {
	inner := newMarkdown(m.Report, m.limits)
	left := m.values
	for _, v := range append(m.Values[:len(m.Values):len(m.Values)], m.DriftValues...) {
		if left <= 0 {
			cut++
			continue
		}
		shown := v.Changes[:min(len(v.Changes), left)]
		left -= len(shown)
		inner.fold(v, shown)
		if len(shown) < len(v.Changes) {
			cut++
		}
	}
	if inner.b.Len() == 0 {
		return "", cut
	}
	return "### " + m.say("Values") + "\n\n" + inner.b.String(), cut
}

func (m *markdown) fold(v Values, shown []ValueDiff) {
	m.b.WriteString("<details><summary>" + m.summary(phrase.Say("{}: {}", phrase.Show(v.Address), v.effect)) + "</summary>\n\n")
	var rows [][]phrase.Phrase
	for _, d := range shown {
		rows = append(rows, []phrase.Phrase{phrase.Show(d.Path), d.before(), d.after()})
	}
	m.rowsOf(valueColumns, rows)
	m.b.WriteString("\n")
	for _, d := range shown {
		m.wholeValue("{}, before", d.Path, d.Before)
		m.wholeValue("{}, after", d.Path, d.After)
	}
	m.b.WriteString("</details>\n\n")
}

// summary writes a phrase in the line of a fold, which is HTML.
func (m *markdown) summary(p phrase.Phrase) string {
	return p.Write(m.language, func(value string) string { return m.language.HTML(value, m.shown) })
}

// wholeValue is a value that a cell does not show as a whole, in a fold of its own.
func (m *markdown) wholeValue(title phrase.Words, path, value string) {
	if n := len([]rune(value)); n > m.whole || !phrase.IsCut(value, m.shown) {
		return
	}
	m.b.WriteString("<details><summary>" + m.summary(phrase.Say(title, phrase.Show(path))) + "</summary>\n\n")
	m.b.WriteString("<pre><code>" + strings.Join(phrase.HTMLLines(value), "<br>") + "</code></pre>\n\n</details>\n\n")
}
