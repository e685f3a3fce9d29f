package review

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// maxComment is the length of a comment on GitHub, in bytes of UTF-8 at most,
// less what a job may write around it.
const maxComment = 60000

// rowLimits are tried until the review fits into a comment.
var rowLimits = []int{50, 25, 10, 5, 2}

// Markdown is the review as a comment for GitHub, GitLab and Gitea.
func (r *Report) Markdown() string {
	var text string
	for _, limit := range rowLimits {
		text = r.markdown(limit)
		if len(text) <= maxComment {
			break
		}
	}
	return text
}

func (r *Report) markdown(limit int) string {
	var b strings.Builder
	paragraph := func(p phrase.Phrase) { b.WriteString(p.Write(phrase.English, phrase.Markdown) + "\n\n") }
	b.WriteString(Mark(r.Name) + "\n")
	title := phrase.Say("**Kuscia:** ")
	if r.Name != "" {
		title = phrase.Concat(phrase.Say("**Kuscia, "), phrase.Show(r.Name), phrase.Say(":** "))
	}
	paragraph(phrase.Concat(title, r.Headline))
	if drawn := r.graph.Mermaid(); drawn != "" {
		b.WriteString("```mermaid\n" + drawn + "```\n\n")
		legend := phrase.Say("Boxes are domains, cylinders data, ovals servings.")
		if left := r.graph.LeftOut(); len(left) > 0 {
			legend = phrase.Concat(legend, phrase.Say(" Not drawn: "), left, phrase.Say("."))
		}
		paragraph(legend)
	}
	for _, note := range r.boundedNotes(limit) {
		b.WriteString("> " + note.Write(phrase.English, phrase.Markdown) + "\n\n")
	}
	for _, t := range r.tables() {
		b.WriteString(t.bounded(limit).markdown())
	}
	for _, line := range r.lastLines() {
		paragraph(line)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
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

func (r *Report) boundedNotes(limit int) []phrase.Phrase {
	return table{lines: r.Notes}.bounded(min(limit, 10)).lines
}

func (t table) markdown() string {
	var b strings.Builder
	if t.folded {
		b.WriteString("<details><summary>" + string(t.title) + " (" + phrase.Number(len(t.rows)+t.more).Write(phrase.English, phrase.Markdown) + ")</summary>\n\n")
	} else {
		b.WriteString("### " + string(t.title) + "\n\n")
	}
	for _, line := range t.lines {
		b.WriteString(line.Write(phrase.English, phrase.Markdown) + "\n\n")
	}
	if len(t.rows) > 0 {
		row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
		var head, rule []string
		for _, column := range t.columns {
			head, rule = append(head, string(column)), append(rule, "---")
		}
		row(head)
		row(rule)
		for _, cells := range t.rows {
			var texts []string
			for _, cell := range cells {
				texts = append(texts, cell.Write(phrase.English, phrase.Markdown))
			}
			row(texts)
		}
		b.WriteString("\n")
	}
	if t.more > 0 {
		b.WriteString(t.moreLine().Write(phrase.English, phrase.Markdown) + "\n\n")
	}
	if t.folded {
		b.WriteString("</details>\n\n")
	}
	return b.String()
}

// moreLine says how many rows are left out.
func (t table) moreLine() phrase.Phrase {
	return phrase.Concat(phrase.Say("And "), phrase.Count(t.more, "{} more "+t.one, "{} more "+t.many), phrase.Say("."))
}
