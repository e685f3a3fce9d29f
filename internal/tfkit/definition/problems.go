package definition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
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

// Since declares which values of an attribute Kuscia supports since one of its versions. The
// description of the attribute says so, and crud refuses such a value before it is sent to an
// older Kuscia.
type Since struct {
	versions.Need
	// Values are the strings that need the feature. nil: every value that is not equivalent to
	// leaving the attribute out.
	Values []string
	// Uses reports whether a value of the attribute, which may be null and is known, needs the
	// feature, where this depends on other parts of the object. It replaces Values. May be nil.
	Uses func(value, object Value) bool
}

// Needed is what a part of an object needs.
type Needed struct {
	versions.Need
	At path.Path
	// Value is the value of Since.Values that needs it, "" if it is another one.
	Value string
}

// Needed returns what the parts of an object need, in the order of their names. A part that is
// unknown needs nothing yet.
func (d *Definition) Needed(object Value) []Needed {
	if !d.root.hasSince || object.IsNull() || !object.IsKnown() {
		return nil
	}
	return needed(d.root, object, object, nil, path.Empty())
}

func needed(n *node, value, object Value, siblings map[string]Value, at path.Path) (all []Needed) {
	if !n.hasSince || !value.IsKnown() {
		return nil
	}
	for _, since := range n.Since {
		if uses, text := since.uses(n, value, object, siblings); uses {
			all = append(all, Needed{Need: since.Need, At: at, Value: text})
		}
	}
	switch {
	case value.IsNull():
	case n.element != nil:
		for step, element := range n.elements(value) {
			all = append(all, needed(n.element, element, object, nil, below(at, step))...)
		}
	case n.fields != nil:
		fields := FieldsOf(value)
		for _, name := range n.names {
			all = append(all, needed(n.fields[name], n.fields[name].fieldOf(fields), object, fields, at.AtName(name))...)
		}
	}
	return all
}

// uses reports whether a known value needs the feature, and which of Values it is.
func (s Since) uses(n *node, value, object Value, siblings map[string]Value) (uses bool, text string) {
	switch {
	case s.Uses != nil:
		return s.Uses(value, object), ""
	case s.Values != nil:
		text = StringOf(value)
		return slices.Contains(s.Values, text), text
	}
	return !n.isOmitted(value, siblings), ""
}

// isOmitted reports whether a known value is equivalent to leaving the attribute out.
func (n *node) isOmitted(value Value, siblings map[string]Value) bool {
	switch {
	case value.IsNull(), n.bothStandForEmpty(siblings, siblings):
		return true
	case n.fields != nil || n.element != nil:
		return n.Presence != Nullable && n.isUnset(value)
	}
	return n.sameLeaf(value, n.null())
}

// sinceText is what the description of an attribute says about versions.
func sinceText(all []Since) string {
	var text strings.Builder
	for _, s := range all {
		switch {
		case s.Uses != nil:
			text.WriteString(" " + s.Sentence())
		case s.Values != nil:
			verb := "needs"
			if len(s.Values) > 1 {
				verb = "need"
			}
			fmt.Fprintf(&text, " `%s` %s Kuscia %s.", strings.Join(s.Values, "` and `"), verb, s.NeedsInPages())
		default:
			fmt.Fprintf(&text, " Needs Kuscia %s.", s.NeedsInPages())
		}
	}
	return text.String()
}

// Declared is a Since with its attribute.
type Declared struct {
	Since
	// Attribute has the names of the objects around it: "endpoint.ports.is_tls".
	Attribute string
}

// Since returns all declarations, in the order of the names of their attributes.
func (d *Definition) Since() []Declared { return declaredSince(d.root, "") }

func declaredSince(n *node, name string) (all []Declared) {
	for _, since := range n.Since {
		all = append(all, Declared{since, name})
	}
	of := n
	if n.element != nil {
		of = n.element
	}
	for _, field := range of.names {
		all = append(all, declaredSince(of.fields[field], strings.TrimPrefix(name+"."+field, "."))...)
	}
	return all
}
