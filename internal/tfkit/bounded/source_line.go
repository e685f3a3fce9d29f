package bounded

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
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
func sourceLine(at *tftypes.AttributePath) *tftypes.AttributePath {
	if at == nil || len(at.Steps()) < 2 {
		return at
	}
	steps := at.Steps()
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
