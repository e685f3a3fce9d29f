package review

import (
	"slices"
	"sort"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/share"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/textdiff"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// maxComment is the length of a comment on GitHub, in bytes of UTF-8 at most,
// less what a job may write around it.
const maxComment = 60000

// limits are of what a comment shows.
type limits struct {
	// rows are those of a table, and vital those of a table that is shortened last.
	rows, vital int
	// values are the values of all objects in folds, whole the characters of one that is shown as a
	// whole, and changed those of what changes in a long one.
	values, whole, changed int
	// shown is the number of characters of a value in a cell, and names the names of a list there.
	shown, names int
	// others are the rows and the values of other providers, and the values of outputs.
	others int
}

// everyRow is more rows than a comment has bytes.
const everyRow = maxComment

// comments are tried until the review fits into a comment: what is long and folded is shortened first. What is
// of other providers has the room that is left.
var comments = []limits{
	{everyRow, everyRow, everyRow, maxComment, 20000, phrase.MaxShown, 100, 0},
	{everyRow, everyRow, 400, 12000, 20000, phrase.MaxShown, 100, 0},
	{everyRow, everyRow, 400, 4000, 20000, phrase.MaxShown, 100, 0},
	{everyRow, everyRow, 200, 1000, 8000, phrase.MaxShown, 100, 0},
	{everyRow, everyRow, 100, 0, 2000, phrase.MaxShown, 20, 0},
	{everyRow, everyRow, 40, 0, 1000, 80, 20, 0},
	{everyRow, everyRow, 0, 0, 0, 80, 20, 0},
}

// leastRows and leastVital are the rows that each table has, if the comment is not divided among all parts.
const leastRows, leastVital = 25, 400

// leastNames is the number of names of a list in a cell if there is little room.
const leastNames = 5

// maxNotes is the number of notes that a comment has.
const maxNotes = 10

// Markdown is the review as a comment for GitHub, GitLab and Gitea.
func (r *Report) Markdown() string {
	c := comment{Report: r, verdict: r.verdictLines(), parts: r.tables(), escaped: map[cell]string{}, withoutSecrets: map[string]string{}}
	return strings.TrimRight(c.text(), "\n") + "\n"
}

// comment is a review that is written several times, until it fits. What all times have is made once.
type comment struct {
	*Report
	verdict []phrase.Phrase
	parts   []table
	// escaped are the values as cells show them, and withoutSecrets long ones.
	escaped        map[cell]string
	withoutSecrets map[string]string
}

// cell is a value of which so many characters are shown.
type cell struct {
	value string
	shown int
}

// markdown escapes a value of which so many characters are shown.
func (c *comment) markdown(value string, shown int) string {
	text, ok := c.escaped[cell{value, shown}]
	if !ok {
		text = c.language.Markdown(value, shown)
		c.escaped[cell{value, shown}] = text
	}
	return text
}

// text is the review, with its verdict, as far as a comment has room: first of all with every row.
func (c *comment) text() string {
	for i, l := range comments {
		text, fits := c.limited(l)
		if !fits {
			continue
		}
		if i > 0 {
			most := min(comments[i-1].values, countValues(c.Values)+countValues(c.DriftValues)) - l.values
			text, l = c.filled(text, l, most, func(l limits, more int) limits { l.values += more; return l })
		}
		if most := max(countValues(c.OtherValues), len(c.otherProviderTable().rows)); most > 0 {
			text, _ = c.filled(text, l, most+1, func(l limits, more int) limits { l.others += more; return l })
		}
		return text
	}
	last := comments[len(comments)-1]
	for _, step := range []struct {
		most int
		with func(l limits, more int) limits
	}{
		{c.mostRows(), func(l limits, more int) limits { l.rows = leastRows + more; return l }},
		{last.names - leastNames, func(l limits, more int) limits { l.rows, l.names = leastRows, leastNames+more; return l }},
		{c.mostRows(), func(l limits, more int) limits {
			l.rows, l.names, l.vital = leastRows, leastNames, leastVital+more
			return l
		}},
	} {
		if text, fits := c.limited(step.with(last, 0)); fits {
			text, _ = c.filled(text, last, step.most, step.with)
			return text
		}
	}
	last.rows, last.names, last.vital = leastRows, leastNames, leastVital
	return newMarkdown(c, last).inShares()
}

// filled is the review with as much more than in a text with limits as a comment has room for.
func (c *comment) filled(text string, l limits, most int, with func(l limits, more int) limits) (string, limits) {
	best := l
	sort.Search(max(most, 0), func(more int) bool {
		fuller, fits := c.limited(with(l, more))
		if fits {
			text, best = fuller, with(l, more)
		}
		return !fits
	})
	return text, best
}

// countValues is the number of values in folds.
func countValues(all List[Values]) int {
	n := 0
	for _, v := range all {
		n += len(v.Changes)
	}
	return n
}

// mostRows is the number of rows of the longest table.
func (c *comment) mostRows() int {
	most := 0
	for _, t := range c.parts {
		most = max(most, len(t.rows))
	}
	return most
}

// limited is the review with limits, and whether it fits into a comment.
func (c *comment) limited(l limits) (text string, fits bool) {
	m := newMarkdown(c, l)
	m.all()
	return m.b.String(), m.b.Len() <= maxComment
}

// markdown writes a review.
type markdown struct {
	*comment
	limits
	b strings.Builder
	// inPart is the number of values that are shown in part.
	inPart int
}

func newMarkdown(c *comment, l limits) *markdown {
	return &markdown{comment: c, limits: l}
}

func (m *markdown) escape(value string) string { return m.markdown(value, m.shown) }

func (m *markdown) write(p phrase.Phrase) string { return p.WriteFirst(m.language, m.escape, m.names) }

func (m *markdown) say(text phrase.Words) string { return m.write(phrase.Say(text)) }

func (m *markdown) paragraph(p phrase.Phrase) { m.b.WriteString(m.write(p) + "\n\n") }

// title is the sentence about the plan, with its name.
func (m *markdown) title() phrase.Phrase {
	if m.Name != "" {
		return phrase.Say("**Kuscia, {}:** {}", phrase.Show(m.Name), m.Headline)
	}
	return phrase.Say("**Kuscia:** {}", m.Headline)
}

// leftOut says what a comment has no room for.
func (m *markdown) leftOut(rows, objects int) phrase.Phrase {
	return phrase.Say("Left out, since a comment is limited: {}, and values of {}. kuscia-review -format text has them.",
		phrase.Count(rows, "{} row", "{} rows"), phrase.Count(objects, "{} object", "{} objects"))
}

func (m *markdown) all() {
	var tables []table
	left := 0
	for _, t := range m.parts {
		limit := m.rows
		switch {
		case t.isVital:
			limit = m.vital
		case t.isOfOthers:
			limit = min(m.rows, max(m.others, leastRows))
		}
		t = t.bounded(limit)
		left += t.more
		tables = append(tables, t)
	}
	folds, cut := m.folds()
	notes := phrase.First(m.Notes, maxNotes)
	if left+cut > 0 {
		notes = append([]phrase.Phrase{m.leftOut(left, cut)}, notes...)
	}
	m.b.WriteString(Mark(m.Name) + "\n")
	m.paragraph(m.title())
	for _, line := range m.verdict {
		m.b.WriteString("- " + line.WriteFirst(m.language, m.escape, phrase.Everything) + "\n")
	}
	m.b.WriteString("\n")
	m.b.WriteString(m.drawing())
	for _, note := range notes {
		m.b.WriteString("> " + m.write(note) + "\n\n")
	}
	for _, t := range tables {
		m.table(t)
	}
	m.b.WriteString(folds)
	for _, t := range m.closing(m.inPart) {
		m.table(t)
	}
	for _, line := range m.lastLines() {
		m.paragraph(line)
	}
}

// drawing is the graph with its legend, "" without a graph.
func (m *markdown) drawing() string {
	drawn := m.graph.Mermaid(m.language)
	if drawn == "" {
		return ""
	}
	return "```mermaid\n" + drawn + "```\n\n" + m.write(m.legend()) + "\n\n"
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
		m.line(line)
	}
	if len(t.lines) > 0 {
		m.b.WriteString("\n")
	}
	if len(t.rows) > 0 {
		m.rowsOf(t.columns, t.rows)
		m.b.WriteString("\n")
	}
	for i, value := range t.whole {
		m.wholeValue(t.rows[i][1], value, false)
	}
	if t.more > 0 {
		m.paragraph(phrase.Count(t.more, t.one, t.many))
	}
	if t.folded {
		m.b.WriteString("</details>\n\n")
	}
}

// line is one above the rows of a table.
func (m *markdown) line(p phrase.Phrase) { m.b.WriteString("- " + m.write(p) + "\n") }

func (m *markdown) rowsOf(columns []phrase.Words, rows [][]phrase.Phrase) {
	var head []phrase.Phrase
	for _, column := range columns {
		head = append(head, phrase.Say(column))
	}
	m.row(head)
	m.b.WriteString(strings.Repeat("| --- ", len(columns)) + "|\n")
	for _, cells := range rows {
		m.row(cells)
	}
}

func (m *markdown) row(cells []phrase.Phrase) {
	if m.b.Len() > maxComment { // it does not fit, whatever else it has
		return
	}
	var texts []string
	for _, cell := range cells {
		texts = append(texts, m.write(cell))
	}
	m.b.WriteString("| " + strings.Join(texts, " | ") + " |\n")
}

// valueColumns are those of the values of an object.
var valueColumns = []phrase.Words{"Attribute", "Before", "After"}

// folds are the values of all objects, each in a fold, and how many objects do not have all of
// theirs there.
func (m *markdown) folds() (text string, cut int) {
	inner := newMarkdown(m.comment, m.limits)
	left, others := m.values, m.others
	for _, values := range m.titledValues() {
		room := &left
		if values.ofOthers {
			room = &others
		}
		for i, v := range values.all {
			if *room <= 0 || inner.b.Len() > maxComment { // it does not fit, whatever else it has
				cut += len(values.all) - i
				break
			}
			if i == 0 {
				inner.b.WriteString("### " + m.say(values.title) + "\n\n")
			}
			shown := v.Changes[:min(len(v.Changes), *room)]
			*room -= len(shown)
			inner.fold(v, shown)
			if len(shown) < len(v.Changes) {
				cut++
			}
		}
	}
	m.inPart = inner.inPart
	return inner.b.String(), cut
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
		m.longValue(d)
	}
	m.b.WriteString("</details>\n\n")
}

// longValue is what a row does not show of a value: what changes in it, and the values as a whole or, of
// those for which there is no room, their beginning and end.
func (m *markdown) longValue(d ValueDiff) {
	path := phrase.Show(d.Path)
	isLong := phrase.IsCut(d.Before, m.shown) || phrase.IsCut(d.After, m.shown)
	isShown := false
	if isLong && isText(d.Before) && isText(d.After) && m.changed > 0 {
		if lines, left := textdiff.Of(m.masked(d.Before), m.masked(d.After), m.changed); len(lines) > 0 {
			m.codeFold(phrase.Say("{}, what changes", path), diffLines(m.language, lines))
			isShown = left == 0
		}
	}
	before := m.wholeValue(phrase.Say("{}, before", path), d.Before, isShown)
	after := m.wholeValue(phrase.Say("{}, after", path), d.After, isShown)
	if isLong && !isShown && (!before || !after) {
		m.inPart++
	}
}

// masked is a value without its secrets, which are looked for once.
func (m *markdown) masked(value string) string {
	masked, ok := m.withoutSecrets[value]
	if !ok {
		masked = secrets.Masked(value)
		m.withoutSecrets[value] = masked
	}
	return masked
}

// diffLines are the lines of a diff. The first character of each is that of this program.
func diffLines(language *phrase.Language, lines []textdiff.Line) []string {
	var all []string
	for _, l := range lines {
		switch {
		case l.Sign == textdiff.Skipped:
			all = append(all, "@ "+phrase.Count(l.Lines, "{} line is the same", "{} lines are the same").Plain(language))
			continue
		case l.IsPart():
			all = append(all, "@ "+phrase.Say("characters {} to {} of {}", phrase.Number(l.From+1), phrase.Number(l.To), phrase.Number(l.Length)).Plain(language))
		}
		all = append(all, string(l.Sign)+" "+phrase.Line(l.Text))
	}
	return all
}

// summary writes a phrase in the line of a fold, which is HTML.
func (m *markdown) summary(p phrase.Phrase) string {
	return p.WriteFirst(m.language, func(value string) string { return m.language.HTML(value, m.shown) }, m.names)
}

// wholeValue is a value that a cell does not show as a whole, in a fold of its own, and reports whether
// all of it is shown. Of one for which there is no room it is the beginning and the end, if what changes in it is not
// shown.
func (m *markdown) wholeValue(title phrase.Phrase, value string, isShown bool) bool {
	switch {
	case !phrase.IsCut(value, m.shown):
		return true
	case m.whole == 0:
		return false
	}
	runes := []rune(m.masked(value))
	if len(runes) <= m.whole {
		m.codeFold(title, phrase.Lines(value))
		return true
	}
	if room := m.whole / 2; room > 0 && !isShown {
		lines := append(phrase.Lines(string(runes[:room])), "@ "+phrase.Say("{} characters are left out", phrase.Number(len(runes)-2*room)).Plain(m.language))
		m.codeFold(title, append(lines, phrase.Lines(string(runes[len(runes)-room:]))...))
	}
	return false
}

// codeFold is a fold with lines of code.
func (m *markdown) codeFold(title phrase.Phrase, lines []string) {
	m.b.WriteString("<details><summary>" + m.summary(title) + "</summary>\n\n" + phrase.Code(lines) + "\n\n</details>\n\n")
}

// The weights of parts. What comes first in the verdict is the most dangerous.
const (
	accessWeight = 20
	heaviest     = 20
	vitalWeight  = 4
	otherWeight  = 1
)

// newPart is a part with what it would need.
func newPart(weight int, write func(most int) (string, int)) *share.Part {
	text, _ := write(maxComment)
	return &share.Part{Weight: weight, Need: len(text), Write: write}
}

// reserved are the bytes for what is said of what is left out.
const reserved = 1000

// inShares is the review, with its verdict, in as many bytes as a comment may have.
func (m *markdown) inShares() string {
	var all []*share.Part
	line := func(weight int, before string, p phrase.Phrase, after string) {
		all = append(all, newPart(weight, func(most int) (string, int) {
			return before + m.within(p, most-len(before)-len(after)) + after, 0
		}))
	}
	line(heaviest, "", m.title(), "\n\n")
	for i, p := range m.verdict {
		line(max(heaviest-2*i, otherWeight), "- ", p, "\n")
	}
	begin := len(all)
	drawing, isDrawn := m.drawing(), true
	all = append(all, newPart(otherWeight, func(most int) (string, int) {
		if isDrawn = len(drawing) <= most; isDrawn {
			return drawing, 0
		}
		return "", 0
	}))
	for _, note := range phrase.First(m.Notes, maxNotes) {
		line(otherWeight, "> ", note, "\n\n")
	}
	for _, t := range m.parts {
		weight := otherWeight
		switch {
		case t.title == accessTitle:
			weight = accessWeight
		case t.isVital:
			weight = vitalWeight
		}
		all = append(all, newPart(weight, func(most int) (string, int) { return m.tableWithin(t, most) }))
	}
	closing := newMarkdown(m.comment, m.limits) // is short, and never shortened
	for _, t := range m.closing(0) {
		closing.table(t)
	}
	end := len(all)
	for _, p := range m.lastLines() {
		line(otherWeight, "", p, "\n\n")
	}
	room := maxComment - reserved - closing.b.Len()
	most := room
	for {
		share.Divide(most, all)
		var texts []string
		left, size := 0, 0
		for _, p := range all {
			text, more := p.Write(p.Room)
			texts, left, size = append(texts, text), left+more, size+len(text)
		}
		// A part has a line at least, also without any room.
		if size > room && most > 0 {
			most -= max(size-room, reserved)
			continue
		}
		note := m.leftOut(left, len(m.allValues()))
		if !isDrawn {
			note = phrase.Say("{} The drawing is left out, too.", note)
		}
		return strings.Join(slices.Concat(
			[]string{Mark(m.Name) + "\n"}, texts[:begin], []string{"\n> " + m.write(note) + "\n\n"}, texts[begin:end], []string{closing.b.String()}, texts[end:],
		), "")
	}
}

// charactersShown are the numbers of characters of a value, one of which a part shows that has little room.
var charactersShown = []int{80, 40, 24, 12, 6}

// isMuch reports whether a form of a part that cuts values shorter says enough more of them.
func isMuch(more, before int) bool { return 2*more > 3*before }

// within is a line in so many bytes: with as many names as possible, and these as long as possible.
func (m *markdown) within(p phrase.Phrase, most int) string {
	best, said := "", -1
	for _, shown := range charactersShown {
		text, items := p.Within(m.language, func(value string) string { return m.markdown(value, shown) }, most)
		if said < 0 || items == phrase.Everything || isMuch(items, said) || len(best) > most && len(text) < len(best) {
			best, said = text, items
		}
		if items == phrase.Everything && len(best) <= most {
			break
		}
	}
	return best
}

// tableWithin is a table in so many bytes, with as many rows as possible, and how many it leaves out.
func (m *markdown) tableWithin(t table, most int) (text string, left int) {
	t.folded = false // so that what is left out is seen
	fitting := -1
	for _, shown := range charactersShown {
		inner := newMarkdown(m.comment, limits{shown: shown, names: leastNames})
		if fits := inner.rowsWithin(t, most); fitting < 0 || fits == t.length() || isMuch(fits, fitting) {
			fitting = fits
			inner.table(t.bounded(fits))
			text = inner.b.String()
		}
		if fitting == t.length() {
			break
		}
	}
	return text, t.bounded(fitting).more + max(0, len(t.lines)-fitting)
}

// length is the number of rows, and of lines above them.
func (t table) length() int { return max(len(t.rows), len(t.lines)) }

// rowsWithin is length for what so many bytes have room.
func (m *markdown) rowsWithin(t table, most int) int {
	size := func(cells []phrase.Phrase) int {
		part := newMarkdown(m.comment, m.limits)
		part.row(cells)
		return part.b.Len()
	}
	frame := newMarkdown(m.comment, m.limits)
	frame.table(table{title: t.title})
	if len(t.lines) > 0 {
		frame.b.WriteString("\n")
	}
	if len(t.rows) > 0 {
		frame.rowsOf(t.columns, nil)
		frame.b.WriteString("\n")
	}
	most -= frame.b.Len()
	more := len(m.write(phrase.Count(len(t.rows), t.one, t.many)))
	if len(t.lines) > 0 {
		more += len("- \n") + len(m.write(phrase.Say("{} more", phrase.Number(len(t.lines)))))
	}
	order := t.inTurns()
	fits := 0
	for i := range t.length() {
		if i < len(t.lines) {
			part := newMarkdown(m.comment, m.limits)
			part.line(t.lines[i])
			most -= part.b.Len()
		}
		if i < len(t.rows) {
			at := order.rows[i]
			most -= size(t.rows[at])
			if len(t.groups) > 0 && order.places[at] == 0 && order.sizes[t.groups[at]] > 1 {
				more += size(t.moreOf(t.groups[at], order.sizes[t.groups[at]]))
			}
		}
		switch {
		case most < 0:
			return fits
		case most >= more:
			fits = i + 1
		}
	}
	return t.length()
}
