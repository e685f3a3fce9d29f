package definitiontest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// object generates an object in an attribute.
func (g Generator) object(t *rapid.T, row definition.Attribute) definition.Tree {
	out := g.fields(t, row.Attributes)
	g.fit(t, row.Attributes, out)
	if change := g.Changes[row.Name]; change != nil {
		change(t, out)
	}
	return out
}

// fit makes attributes of an object fit, as OneOf and Distinct say.
func (g Generator) fit(t *rapid.T, rows []definition.Attribute, out definition.Tree) {
	for _, names := range g.OneOf {
		if slices.ContainsFunc(rows, func(a definition.Attribute) bool { return a.Name == names[0] }) {
			g.onlyOne(t, rows, names, out)
		}
	}
	for _, lists := range g.Distinct {
		n := 0
		for _, list := range lists {
			elements, _ := out[list].([]any)
			for _, element := range elements {
				object, _ := element.(definition.Tree)
				if name, _ := object["name"].(string); name != "" {
					object["name"] = fmt.Sprint(name, n)
				}
				n++
			}
		}
	}
}

// leaveOut leaves out what is Rare, mostly.
func (g Generator) leaveOut(t *rapid.T, out definition.Tree) {
	const oneIn = 6
	if len(g.Rare) == 0 || rapid.IntRange(1, oneIn).Draw(t, "rare") == oneIn {
		return
	}
	for _, name := range g.Rare {
		if out[name] != definition.Unknown {
			out[name] = nil
		}
	}
}

// onlyOne sets one of several attributes; others are unset or unknown. For an optional string
// "" is unset.
func (g Generator) onlyOne(t *rapid.T, rows []definition.Attribute, names []string, out definition.Tree) {
	only := rapid.SampledFrom(names).Draw(t, "only")
	for _, row := range rows {
		isText := row.Presence == definition.Optional && row.Type == definition.String
		isEmpty := isText && out[row.Name] == ""
		switch {
		case !slices.Contains(names, row.Name):
		case row.Name != only:
			if !isEmpty && out[row.Name] != definition.Unknown {
				out[row.Name] = nil
			}
			if row.WriteOnly {
				out[row.Name+suffixWO], out[row.Name+suffixVersion] = nil, nil
			}
		case isEmpty || isText && out[row.Name] == nil:
			texts := g.texts(row)
			out[row.Name] = texts[len(texts)-1]
		case out[row.Name] == nil && out[row.Name+suffixWO] == nil:
			row.Presence = definition.Required
			out[row.Name] = g.attribute(t, row)
		}
	}
}
