package review

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// maxComment is the length of a comment on GitHub, in bytes of UTF-8 at most,
// less what a job may write around it.
const maxComment = 60000

// limits are of what a comment shows.
type limits struct {
	// rows are those of a table, and access those of a table that says who may see what.
	rows, access int
	// values are the values of all objects in folds, and whole the characters of one that is shown
	// as a whole.
	values, whole int
	// shown is the number of characters of a value in a cell.
	shown int
}

// comments are tried until the review fits into a comment: what is long and folded is shortened
// first, and who may see what last.
var comments = []limits{
	{50, 100, 400, 4000, phrase.MaxShown},
	{50, 100, 200, 1000, phrase.MaxShown},
	{50, 100, 100, 0, phrase.MaxShown},
	{25, 100, 40, 0, 80},
	{25, 100, 0, 0, 80},
	{10, 50, 0, 0, 60},
	{5, 50, 0, 0, 40},
	{2, 25, 0, 0, 40},
	{0, 10, 0, 0, 24},
}

// Markdown is the review as a comment for GitHub, GitLab and Gitea.
func (r *Report) Markdown() string {
	for _, limit := range comments {
		m := newMarkdown(r, limit)
		m.all()
		if m.b.Len() <= maxComment {
			return strings.TrimRight(m.b.String(), "\n") + "\n"
		}
	}
	verdict := func(longest int, closing bool) string {
		m := newMarkdown(r, comments[len(comments)-1])
		m.longest = longest
		m.head(phrase.Say("The review does not fit into a comment: only the verdict is shown. kuscia-review -format json has the rest."))
		for _, t := range m.closing() {
			if closing {
				m.table(t)
			}
		}
		return strings.TrimRight(m.b.String(), "\n") + "\n"
	}
	for _, text := range []string{verdict(maxComment, true), verdict(maxComment, false)} {
		if len(text) <= maxComment {
			return text
		}
	}
	return verdict(longestLine, false)
}

// longestLine is the number of bytes of a line of the verdict, of which there are at most twenty, where
// the whole verdict does not fit into a comment.
const longestLine = 2500

// markdown writes a review.
type markdown struct {
	*Report
	limits
	// longest is the number of bytes of a line of the verdict.
	longest int
	b       strings.Builder
}

func newMarkdown(r *Report, l limits) *markdown {
	return &markdown{Report: r, limits: l, longest: maxComment}
}

func (m *markdown) escape(value string) string { return m.language.Markdown(value, m.shown) }

func (m *markdown) write(p phrase.Phrase) string { return p.Write(m.language, m.escape) }

func (m *markdown) say(text phrase.Words) string { return m.write(phrase.Say(text)) }

func (m *markdown) paragraph(p phrase.Phrase) { m.b.WriteString(m.write(p) + "\n\n") }

// head is the mark, the sentence about the plan, and the verdict.
func (m *markdown) head(notes ...phrase.Phrase) {
	m.b.WriteString(Mark(m.Name) + "\n")
	title := phrase.Say("**Kuscia:** {}", m.Headline)
	if m.Name != "" {
		title = phrase.Say("**Kuscia, {}:** {}", phrase.Show(m.Name), m.Headline)
	}
	left := 0
	write := func(before string, line phrase.Phrase, after string) {
		text := m.write(line)
		if len(text) > m.longest {
			left++
			return
		}
		m.b.WriteString(before + text + after)
	}
	write("", title, "\n\n")
	for _, line := range m.verdictLines() {
		write("- ", line, "\n")
	}
	m.b.WriteString("\n")
	if left > 0 {
		notes = append(notes, phrase.Say("{} lines of the verdict are too long for a comment. Read them before you approve: kuscia-review -format text.", phrase.Number(left)))
	}
	for _, note := range notes {
		m.b.WriteString("> " + m.write(note) + "\n\n")
	}
}

func (m *markdown) all() {
	var tables []table
	left := 0
	for _, t := range m.tables() {
		limit := m.rows
		if t.isAccess {
			limit = m.access
		}
		t = t.bounded(limit)
		left += t.more
		tables = append(tables, t)
	}
	folds, cut := m.folds()
	notes := phrase.First(m.Notes, min(m.access, 10))
	if left+cut > 0 {
		notes = append([]phrase.Phrase{phrase.Say("Left out, since a comment is limited: {} rows, and values of {} objects. kuscia-review -format json has them.", phrase.Number(left), phrase.Number(cut))}, notes...)
	}
	m.head()
	if drawn := m.graph.Mermaid(m.language); drawn != "" && m.rows > 0 {
		m.b.WriteString("```mermaid\n" + drawn + "```\n\n")
		m.paragraph(m.legend())
	}
	for _, note := range notes {
		m.b.WriteString("> " + m.write(note) + "\n\n")
	}
	for _, t := range tables {
		m.table(t)
	}
	m.b.WriteString(folds)
	for _, t := range m.closing() {
		m.table(t)
	}
	for _, line := range m.lastLines() {
		m.paragraph(line)
	}
}

func (m *markdown) legend() phrase.Phrase {
	legend := phrase.Say("Boxes are domains, cylinders data, ovals servings. Green and thick is new, yellow changes, red is replaced, red and dashed is gone; gray stays.")
	if left := m.graph.LeftOut(); len(left) > 0 {
		legend = phrase.Say("{} Not drawn: {}.", legend, left)
	}
	return legend
}

// Mark is the first line of a review, which no page shows. By it a job finds
// the comment that it wrote before.
func Mark(name string) string {
	if name == "" {
		return "<!-- kuscia-review -->"
	}
	safe := strings.Map(func(r rune) rune {
		if phrase.IsAlphanumeric(r) || strings.ContainsRune("._/", r) {
			return r
		}
		return '_'
	}, phrase.Clean(name, phrase.MaxLabel))
	return "<!-- kuscia-review " + safe + " -->"
}

func (m *markdown) table(t table) {
	if t.folded {
		m.b.WriteString("<details><summary>" + m.say(t.title) + " (" + m.write(phrase.Number(len(t.rows)+t.more)) + ")</summary>\n\n")
	} else {
		m.b.WriteString("### " + m.say(t.title) + "\n\n")
	}
	for _, line := range t.lines {
		m.b.WriteString("- " + m.write(line) + "\n")
	}
	if len(t.lines) > 0 {
		m.b.WriteString("\n")
	}
	if len(t.rows) > 0 {
		m.rowsOf(t.columns, t.rows)
		m.b.WriteString("\n")
	}
	for i, value := range t.whole {
		m.wholeValue(t.rows[i][1], value)
	}
	if t.more > 0 {
		m.paragraph(phrase.Count(t.more, t.one, t.many))
	}
	if t.folded {
		m.b.WriteString("</details>\n\n")
	}
}

func (m *markdown) rowsOf(columns []phrase.Words, rows [][]phrase.Phrase) {
	row := func(cells []string) { m.b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	var head, rule []string
	for _, column := range columns {
		head, rule = append(head, m.say(column)), append(rule, "---")
	}
	row(head)
	row(rule)
	for _, cells := range rows {
		var texts []string
		for _, cell := range cells {
			texts = append(texts, m.write(cell))
		}
		row(texts)
	}
}

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
		m.wholeValue(phrase.Say("{}, before", phrase.Show(d.Path)), d.Before)
		m.wholeValue(phrase.Say("{}, after", phrase.Show(d.Path)), d.After)
	}
	m.b.WriteString("</details>\n\n")
}

// summary writes a phrase in the line of a fold, which is HTML.
func (m *markdown) summary(p phrase.Phrase) string {
	return p.Write(m.language, func(value string) string { return m.language.HTML(value, m.shown) })
}

// wholeValue is a value that a cell does not show as a whole, in a fold of its own.
func (m *markdown) wholeValue(title phrase.Phrase, value string) {
	if n := len([]rune(value)); n > m.whole || !phrase.IsCut(value, m.shown) {
		return
	}
	m.b.WriteString("<details><summary>" + m.summary(title) + "</summary>\n\n")
	m.b.WriteString("<pre><code>" + strings.Join(phrase.HTMLLines(value), "<br>") + "</code></pre>\n\n</details>\n\n")
}
