package definition

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// Problem is an invalid configuration that the declarations alone exclude.
type Problem struct {
	Path            path.Path
	Summary, Detail string
}

// Problems returns what is wrong with a configuration according to the
// declarations alone: see secretProblems, Attribute.Refused and Timeouts.
func (d *Definition) Problems(config Value) []Problem {
	return slices.Concat(d.secretProblems(config), refusals(d.root, config, path.Empty()), d.schema.Timeouts.problems(config))
}

// refusals finds Refused attributes that are set. An unknown value is checked
// once it is known: it may be null.
func refusals(n *node, value Value, at path.Path) (found []Problem) {
	switch {
	case !n.hasRefused || !value.IsKnown() || value.IsNull():
	case n.Refused != "":
		return []Problem{{at, "Attribute cannot be set", n.Refused}}
	case n.element != nil:
		for step, element := range n.elements(value) {
			found = append(found, refusals(n.element, element, below(at, step))...)
		}
	default:
		fields := FieldsOf(value)
		for _, name := range n.names {
			found = append(found, refusals(n.fields[name], n.fields[name].fieldOf(fields), at.AtName(name))...)
		}
	}
	return found
}
