package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// stateMarks say what happens, so that it is seen without colors.
var stateMarks = map[State]phrase.Words{Gone: "- gone", Replaced: "-/+ replaced", Changed: "~ changed", New: "+ new"}

var stateClasses = map[State]string{Gone: "gone", Replaced: "replaced", Changed: "changed", New: "new", Same: "same"}

// styles are those of nodes. They work on light and dark pages.
var styles = map[State]string{
	Gone: "stroke:#cf222e,stroke-width:2px,stroke-dasharray:6 4", Replaced: "stroke:#cf222e,stroke-width:4px",
	Changed: "stroke:#bf8700,stroke-width:3px", New: "stroke:#2da44e,stroke-width:3px", Same: "stroke:#8c959f,stroke-width:1px",
}

// edgeStyles are those of edges. A line that does not change has the color of the page's theme.
var edgeStyles = map[State]string{
	Gone: "stroke:#cf222e,stroke-width:2px", Replaced: "stroke:#cf222e,stroke-width:2px",
	Changed: "stroke:#bf8700,stroke-width:2px", New: "stroke:#2da44e,stroke-width:4px",
}

// wider lets the name of an image fit into a line.
const wider = `%%{init: {"flowchart": {"wrappingWidth": 300}}}%%` + "\n"

// maxAcross is the number of nodes up to which a graph goes from left to right: a
// page is as long as necessary, but not as wide.
const maxAcross = 8

// drawing is a graph with the language of its words.
type drawing struct {
	*Graph
	language *phrase.Language
}

// say is a label of words, with phrases whose values are escaped.
func (d drawing) say(text phrase.Words, args ...phrase.Phrase) string {
	if text == "" {
		return ""
	}
	return phrase.Mermaid(phrase.Say(text, args...).Write(d.language, func(value string) string { return value }))
}

// Mermaid is the graph in Mermaid's language, with words of another; "" if there is nothing to draw.
func (g *Graph) Mermaid(language *phrase.Language) string {
	if len(g.nodes) == 0 {
		return ""
	}
	d := drawing{g, language}
	var b strings.Builder
	direction := "LR"
	if len(g.nodes) > maxAcross {
		direction = "TB"
	}
	b.WriteString(wider + "flowchart " + direction + "\n")
	names, used := map[NodeID]string{}, map[State]bool{}
	for i, id := range g.sorted(func(NodeID, NodeID) int { return 0 }) {
		names[id] = fmt.Sprintf("n%d", i)
		used[g.nodes[id].state] = true
		fmt.Fprintf(&b, "  %s%s:::%s\n", names[id], d.box(id.Shape, g.nodes[id]), stateClasses[g.nodes[id].state])
	}
	styled := map[State][]string{}
	for i, e := range g.edges {
		line := line(e)
		if e.State != Same {
			styled[e.State] = append(styled[e.State], strconv.Itoa(i))
		}
		if label := d.edgeLabel(e); label != "" {
			line += "|" + markdownString(label) + "|"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", names[e.from], line, names[e.to])
	}
	for state := Gone; state <= Same; state++ {
		if used[state] {
			fmt.Fprintf(&b, "  classDef %s %s\n", stateClasses[state], styles[state])
		}
		if len(styled[state]) > 0 {
			fmt.Fprintf(&b, "  linkStyle %s %s\n", strings.Join(styled[state], ","), edgeStyles[state])
		}
	}
	return b.String()
}

// lineBreak is between the lines of a label, which are paragraphs. With <br> instead,
// versions 11 of Mermaid decode the escapes in the label, and then read it as Markdown. A
// single line break becomes a <br> in the picture, which Gitea 1.26 cannot show.
const lineBreak = "\n\n"

// markdownString is a label with line breaks. Escapes are not Markdown in it.
func markdownString(label string) string { return "\"`" + label + "`\"" }

// box is a node with its label: a box for a domain, a cylinder for data, a box
// with round ends for a serving.
func (d drawing) box(kind Shape, n node) string {
	label := cmp.Or(phrase.Mermaid(n.label), " ") // Mermaid refuses an empty label
	if n.alike > 0 {
		label += lineBreak + d.say("and {} more servings", phrase.Number(n.alike))
	}
	if n.image != "" {
		label += lineBreak + phrase.Mermaid(n.image)
	}
	if mark := d.say(stateMarks[n.state]); mark != "" {
		label += lineBreak + mark
	}
	switch kind {
	case Data:
		return "[(" + markdownString(label) + ")]"
	case Serving:
		return "([" + markdownString(label) + "])"
	default:
		return "[" + markdownString(label) + "]"
	}
}

// line is dashed for what is gone, thick for what is new, and for routes and grants an arrow.
func line(e Edge) string {
	line, arrow := "---", "-->"
	switch e.State {
	case Gone:
		line, arrow = "-.-", "-.->"
	case New:
		line, arrow = "===", "==>"
	}
	switch {
	case e.Relation != Route && e.Relation != Grants:
		return line
	case e.both:
		return "<" + arrow
	}
	return arrow
}

// edgeLabel has one or two lines, since Mermaid draws the edge through the middle.
func (d drawing) edgeLabel(e Edge) string {
	mark := stateMarks[e.State]
	// What happens to data or to a serving is not said again of its owner or its parties.
	if e.Relation == Owns || e.Relation == TakesPart && e.State == d.nodes[e.from].state {
		mark = ""
	}
	label := ""
	switch {
	case e.Relation == Owns:
		label = d.say("owns")
	case e.Relation == TakesPart && e.Image != "":
		label = d.say("party, {}", phrase.Show(e.Image))
	case e.Relation == TakesPart:
		label = d.say("party")
	case e.Relation == Route && e.both:
		label = d.say("routes")
	case e.Relation == Route:
		label = d.say("route")
	case e.Relation == Grants && e.Until != "" && e.State != Gone:
		// A longer line would be broken within the day.
		return d.say("may use until") + lineBreak + strings.TrimSpace(phrase.Mermaid(e.Until)+" "+d.say(mark))
	case e.Relation == Grants:
		label = d.say("may use")
	}
	lines := slices.DeleteFunc([]string{label, d.say(mark)}, func(line string) bool { return line == "" })
	return strings.Join(lines, lineBreak)
}
