package bounded

import (
	"slices"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestLongLists: a list or map of objects is too long above the maximum of its kind.
func TestLongLists(t *testing.T) {
	t.Parallel()
	row := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String, "tags": tftypes.List{ElementType: tftypes.String}}}
	nested := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"rows": tftypes.List{ElementType: row}}}
	mapped := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"rows": tftypes.Map{ElementType: row}}}
	for name, test := range map[string]struct {
		of   tftypes.Object
		most int
	}{"rows": {row, maxRows}, "columns": {row, 5000}, "parties": {nested, maxObjects}, "mapped": {mapped, maxObjects}} {
		elements, keyed := slices.Repeat([]tftypes.Value{tftypes.NewValue(test.of, nil)}, test.most), map[string]tftypes.Value{}
		for i, element := range elements {
			keyed[strconv.Itoa(i)] = element
		}
		for more := range 2 {
			of := tftypes.Object{AttributeTypes: map[string]tftypes.Type{name: tftypes.List{ElementType: test.of}, "in": tftypes.Object{AttributeTypes: map[string]tftypes.Type{name: tftypes.Map{ElementType: test.of}}}}}
			inner := tftypes.NewValue(of.AttributeTypes["in"], map[string]tftypes.Value{name: tftypes.NewValue(tftypes.Map{ElementType: test.of}, keyed)})
			value := tftypes.NewValue(of, map[string]tftypes.Value{name: tftypes.NewValue(tftypes.List{ElementType: test.of}, elements), "in": inner})
			if found := LongLists(tftypes.NewAttributePath(), value); len(found) != 2*more {
				t.Errorf("%s: %d more than %d elements: %v", name, more, test.most, found)
			}
			elements, keyed["another"] = append(elements, elements[0]), elements[0]
		}
	}
}
