package bounded

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestSourceLine: paths with which Terraform 1.17 shows the line of the value, and older CLIs that of
// the element around it.
func TestSourceLine(t *testing.T) {
	t.Parallel()
	name := tftypes.NewAttributePath().WithAttributeName("name")
	image := tftypes.NewAttributePath().WithAttributeName("image").WithAttributeName("name")
	party := tftypes.NewAttributePath().WithAttributeName("parties").WithElementKeyString("bob")
	parties := party.WithAttributeName("role")
	for at, want := range map[*tftypes.AttributePath]*tftypes.AttributePath{
		name: name, party: party,
		image:   tftypes.NewAttributePath().WithAttributeName("image").WithElementKeyString("name"),
		parties: parties.WithAttributeName("parties").WithElementKeyString("bob"),
	} {
		if got := sourceLine(at, func([]tftypes.AttributePathStep) int { return 1 }); !got.Equal(want) {
			t.Errorf("%s is shown at %s, want %s", at, got, want)
		}
	}
}

// TestFewLines: no path shows many lines of a configuration.
func TestFewLines(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	list := func(n int) tftypes.Value {
		items := make([]tftypes.Value, n)
		for i := range items {
			items[i] = text("x")
		}
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, items)
	}
	object := func(items tftypes.Value) tftypes.Value {
		kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"role": tftypes.String, "args": items.Type()}}
		return tftypes.NewValue(tftypes.Map{ElementType: kind}, map[string]tftypes.Value{"bob": tftypes.NewValue(kind, map[string]tftypes.Value{"role": text("a"), "args": items})})
	}
	of := lines{attributes: map[string]tftypes.Value{
		"short": object(list(2)), "long": object(list(20)), "json": text(`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`),
		"lines": text(strings.Repeat("x\n", 9)), "name": text("x"),
	}}
	root := func(name string) *tftypes.AttributePath { return tftypes.NewAttributePath().WithAttributeName(name) }
	role := func(name string) *tftypes.AttributePath {
		return root(name).WithElementKeyString("bob").WithAttributeName("role")
	}
	for at, want := range map[*tftypes.AttributePath]*tftypes.AttributePath{
		root("name"): root("name"), root("missing"): root("missing"), root("short"): root("short"),
		role("short"): role("short").WithAttributeName("short").WithElementKeyString("bob"),
		role("long"):  role("long").WithAttributeName(noAttribute),
		root("long"):  nil, root("json"): nil, root("lines"): nil,
	} {
		if got := sourceLine(at, of.linesAt); !got.Equal(want) {
			t.Errorf("%s is shown at %s, want %s", at, got, want)
		}
	}
}
