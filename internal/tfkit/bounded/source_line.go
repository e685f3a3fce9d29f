package bounded

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const (
	// maxLines is how many lines of a configuration are worth showing.
	maxLines = 8
	// noAttribute is the name of no attribute.
	noAttribute = "-"
)

// sourceLine returns the path with which every CLI shows the deepest line of the configuration
// that it can. For a diagnostic at parties[1].image,
//
//   - newer CLIs (Terraform 1.17) follow the whole path, as far as the configuration has it;
//   - others only look up the last attribute name, with an element after it, among the
//     attributes of the resource: they would show the line of the resource, or for
//     parties[1].name that of the resource's own name.
//
// So the path ends with its first attribute again, with the element or the attribute in it:
// parties[1].image.parties[1]. A newer CLI shows the line of the image, another one that on
// which parties[1] begins. The path has no other use: a CLI never shows it.
//
// A CLI shows all lines of what it finds. If those of parties[1] are many, the path ends with a
// name that no attribute has, so that others show the line of the resource; if those of the whole
// path are, there is none. length estimates how many lines a value has.
func sourceLine(at *tftypes.AttributePath, length func(steps []tftypes.AttributePathStep) int) *tftypes.AttributePath {
	if at == nil || len(at.Steps()) == 0 {
		return at
	}
	steps := at.Steps()
	switch {
	case length(steps) > maxLines:
		return nil
	case len(steps) == 1:
		return at
	case length(steps[:2]) > maxLines:
		return at.WithAttributeName(noAttribute)
	}
	inner := steps[1]
	if name, ok := inner.(tftypes.AttributeName); ok {
		inner = tftypes.ElementKeyString(name) // in an expression, an object has elements
	}
	shown := []tftypes.AttributePathStep{steps[0], inner}
	if len(steps) > len(shown) {
		shown = slices.Concat(steps, shown)
	}
	return tftypes.NewAttributePathWithSteps(shown)
}

// linesAt estimates how many lines the value at a path has: one for each value in it, and for each
// line or member of a text.
func (l lines) linesAt(steps []tftypes.AttributePathStep) int {
	name, _ := steps[0].(tftypes.AttributeName)
	found, _, err := tftypes.WalkAttributePath(l.attributes[string(name)], tftypes.NewAttributePathWithSteps(steps[1:]))
	value, ok := found.(tftypes.Value)
	if err != nil || !ok || value.Type() == nil {
		return 0
	}
	n := 0
	_ = tftypes.Walk(value, func(_ *tftypes.AttributePath, v tftypes.Value) (bool, error) {
		var text string
		switch {
		case v.IsNull() || !v.IsKnown():
		case v.Type().Is(tftypes.String) && v.As(&text) == nil:
			n += 1 + max(strings.Count(text, "\n"), strings.Count(text, `":`))
		case v.Type().Is(tftypes.Number), v.Type().Is(tftypes.Bool):
			n++
		}
		return true, nil
	})
	return n
}
