package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// stateMarks say what happens, so that it is seen without colours.
var stateMarks = map[state]string{isGone: "- gone", isReplaced: "-/+ replaced", isChanged: "~ changed", isNew: "+ new"}

var stateClasses = map[state]string{isGone: "gone", isReplaced: "replaced", isChanged: "changed", isNew: "new", isSame: "same"}

// styles are those of nodes. They work on light and dark pages.
var styles = map[state]string{
	isGone: "stroke:#cf222e,stroke-width:2px,stroke-dasharray:6 4", isReplaced: "stroke:#cf222e,stroke-width:4px",
	isChanged: "stroke:#bf8700,stroke-width:3px", isNew: "stroke:#2da44e,stroke-width:3px", isSame: "stroke:#8c959f,stroke-width:1px",
}

// wider lets the name of an image fit into a line.
const wider = `%%{init: {"flowchart": {"wrappingWidth": 300}}}%%` + "\n"

// maxAcross is the number of nodes up to which a graph goes from left to right: a
// page is as long as necessary, but not as wide.
const maxAcross = 8

// mermaid is the graph in Mermaid's language; "" if there is nothing to draw.
func (g *graph) mermaid() string {
	if len(g.nodes) == 0 {
		return ""
	}
	var b strings.Builder
	direction := "LR"
	if len(g.nodes) > maxAcross {
		direction = "TB"
	}
	b.WriteString(wider + "flowchart " + direction + "\n")
	names, used := map[nodeID]string{}, map[state]bool{}
	for i, id := range g.sorted(func(nodeID, nodeID) int { return 0 }) {
		names[id] = fmt.Sprintf("n%d", i)
		used[g.nodes[id].state] = true
		fmt.Fprintf(&b, "  %s%s:::%s\n", names[id], box(id.shape, g.nodes[id]), stateClasses[g.nodes[id].state])
	}
	for _, e := range g.edges {
		line := line(e)
		if label := g.edgeLabel(e); label != "" {
			line += "|" + markdownString(label) + "|"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", names[e.from], line, names[e.to])
	}
	for state := isGone; state <= isSame; state++ {
		if used[state] {
			fmt.Fprintf(&b, "  classDef %s %s\n", stateClasses[state], styles[state])
		}
	}
	return b.String()
}

// lineBreak is between the lines of a label. With <br> instead, versions 11 of Mermaid
// decode the escapes in the label, and then read it as Markdown.
const lineBreak = "\n"

// markdownString is a label with line breaks. Escapes are not Markdown in it.
func markdownString(label string) string { return "\"`" + label + "`\"" }

// box is a node with its label: a box for a domain, a cylinder for data, a box
// with round ends for a serving.
func box(kind shape, n node) string {
	label := cmp.Or(Mermaid(n.label), " ") // Mermaid refuses an empty label
	if n.alike > 0 {
		label += fmt.Sprintf("%sand %d more servings", lineBreak, n.alike)
	}
	if n.image != "" {
		label += lineBreak + Mermaid(n.image)
	}
	if mark := stateMarks[n.state]; mark != "" {
		label += lineBreak + Mermaid(mark)
	}
	switch kind {
	case dataShape:
		return "[(" + markdownString(label) + ")]"
	case servingShape:
		return "([" + markdownString(label) + "])"
	default:
		return "[" + markdownString(label) + "]"
	}
}

// line is dashed for what is gone, and for routes and grants an arrow, which is
// thick for a new one.
func line(e edge) string {
	line, arrow := "---", "-->"
	switch e.state {
	case isGone:
		line, arrow = "-.-", "-.->"
	case isNew:
		arrow = "==>"
	}
	switch {
	case e.relation != route && e.relation != grants:
		return line
	case e.both:
		return "<" + arrow
	}
	return arrow
}

// edgeLabel has one or two lines, since Mermaid draws the edge through the middle.
func (g *graph) edgeLabel(e edge) string {
	label, mark := Mermaid(e.label), Mermaid(stateMarks[e.state])
	// What happens to a serving is not said again of its parties.
	if e.relation == owns || e.relation == takesPart && e.state == g.nodes[e.from].state {
		mark = ""
	}
	lines := slices.DeleteFunc([]string{label, mark}, func(line string) bool { return line == "" })
	if e.until != "" {
		lines = []string{strings.Join(lines, ", "), "until " + Mermaid(e.until)}
	}
	return strings.Join(lines, lineBreak)
}
