package definition_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// viewed has an attribute of each kind that rules ask for.
var viewed = definition.New(definition.Schema{Attributes: []definition.Attribute{
	{Name: "id", Presence: definition.Computed},
	{Name: "mode", Presence: definition.Optional, Default: "a"},
	{Name: "note", Presence: definition.Optional},
	{Name: "waits", Type: definition.Bool, Presence: definition.Optional, Default: true, Local: true},
	{Name: "limit", Presence: definition.Nullable, Default: "10m", Local: true},
	{Name: "labels", Type: definition.StringMap, Presence: definition.Optional},
	{Name: "parts", Type: definition.ObjectMap, Presence: definition.Required, Attributes: []definition.Attribute{
		{Name: "image", Presence: definition.Computed, Local: true},
		{Name: "cpu", Presence: definition.Nullable, SemanticEquality: definition.Quantity},
		{Name: "count", Type: definition.Number, Presence: definition.Optional, Default: int64(1)},
		{Name: "size", Type: definition.Object, Presence: definition.Optional, Attributes: []definition.Attribute{
			{Name: "memory", Presence: definition.Nullable, SemanticEquality: definition.Quantity},
		}},
	}},
}})

// TestView: values are read as they are, null or unknown; a changed attribute leaves the first view as it
// was, and a name that is no attribute, or one of another type, panics.
func TestView(t *testing.T) {
	t.Parallel()
	view := definition.ViewOf(viewed.Encode(definition.Tree{"id": definition.Unknown, "mode": "b", "labels": definition.Tree{"a": definition.Unknown}}))
	labels := view.StringMap("labels").Elements()
	if !view.String("id").IsUnknown() || !view.String("note").IsNull() || view.String("mode").ValueString() != "b" || !view.Bool("waits").IsNull() || !labels["a"].IsUnknown() {
		t.Errorf("read are %s, %s, %s, %s and %s", view.String("id"), view.String("note"), view.String("mode"), view.Bool("waits"), labels)
	}
	changed := view.WithValue("mode", definition.ValueOf(types.StringValue("c"))).WithValue("labels", definition.Value{})
	if got := definition.StringAt(changed.Value(), "mode"); got != "c" || !changed.StringMap("labels").IsNull() || view.String("mode").ValueString() != "b" || changed.Equal(view) {
		t.Errorf("changed is %s, and the first one %s", changed.Value(), view.Value())
	}
	var missing definition.View
	if !missing.IsNull() || missing.IsUnknown() || !missing.Int32("any").IsNull() || !missing.Object("any").String("other").IsNull() {
		t.Error("a missing object has attributes")
	}
	part := definition.ViewOf(viewed.Part("parts").Encode(definition.Tree{"count": int64(1) << 40}))
	if !part.Int32("count").IsUnknown() || part.Int64("count").ValueInt64() != 1<<40 {
		t.Errorf("a number that is too large is %s and %s", part.Int32("count"), part.Int64("count"))
	}
	for name, mistake := range map[string]func(){
		"mood":  func() { view.String("mood") },
		"waits": func() { view.String("waits") },
		"other": func() { view.WithValue("other", definition.Value{}) },
		"mode":  func() { missing.WithValue("mode", definition.Value{}) },
		"note":  func() { viewed.Part("note") },
	} {
		if said := panicOf(mistake); !strings.Contains(said, `"`+name+`"`) {
			t.Errorf("%s: it panics with %q", name, said)
		}
	}
}

// TestPartsOfPlans: the defaults, the spelling and the equality of an object come from its definition, also
// where its types are shallow.
func TestPartsOfPlans(t *testing.T) {
	t.Parallel()
	part := func(cpu, memory any) definition.Tree {
		return definition.Tree{"image": "i", "cpu": cpu, "size": definition.Tree{"memory": memory}}
	}
	for name, d := range map[string]*definition.Definition{"deep": viewed, "shallow": viewed.Shallow()} {
		config := d.Encode(definition.Tree{"note": "", "parts": definition.Tree{"one": part("1", "1Gi")}})
		complete := viewed.WithDefaults(definition.ViewOf(config))
		want := d.Encode(definition.Tree{"note": "", "mode": "a", "waits": true, "parts": definition.Tree{
			"one": definition.Tree{"image": "i", "cpu": "1", "count": int64(1), "size": definition.Tree{"memory": "1Gi"}},
		}})
		if !complete.Equal(definition.ViewOf(want)) {
			t.Errorf("%s: with defaults it is %s", name, complete.Value())
		}
		if again := viewed.WithDefaults(complete); !again.Equal(complete) {
			t.Errorf("%s: once more it is %s", name, again.Value())
		}
		imported := definition.ViewOf(viewed.WithImportDefaults(complete.Value()))
		if imported.String("limit").ValueString() != "10m" || !viewed.EqualReturned(imported, complete) || viewed.EqualConfigured(imported, complete) {
			t.Errorf("%s: after an import it is %s", name, imported.Value())
		}
		if computed := complete.WithValue("id", definition.UnknownString()); !viewed.EqualConfigured(computed, complete) || !viewed.IsConfigurationKnown(computed) ||
			viewed.IsConfigurationKnown(complete.WithValue("note", definition.UnknownString())) {
			t.Errorf("%s: a computed value counts, or another does not", name)
		}
		spelled := viewed.WithSpelling(
			definition.ViewOf(d.Encode(definition.Tree{"parts": definition.Tree{"one": part("1000m", "2Gi"), "two": part("1", nil)}})),
			definition.ViewOf(d.Encode(definition.Tree{"note": "", "parts": definition.Tree{"one": part("1", "1Gi")}})))
		if want := d.Encode(definition.Tree{"note": "", "parts": definition.Tree{"one": part("1", "2Gi"), "two": part("1", nil)}}); !definition.Equal(spelled.Value(), want) {
			t.Errorf("%s: with the prior spelling it is %s", name, spelled.Value())
		}
		// A part of a deep definition may be put into a shallow object, and the other way round.
		other := viewed.Part("parts").MapOf(definition.FieldsOf(complete.At("parts")))
		if put := complete.WithValue("parts", viewed.Part("parts").MapOf(nil)).WithValue("parts", other); !put.Equal(complete) || !other.Type().Is(tftypes.Map{}) {
			t.Errorf("%s: put back it is %s", name, put.Value())
		}
	}
}

// TestTreeOf: what Encode makes of the tree of an object is that object.
func TestTreeOf(t *testing.T) {
	t.Parallel()
	for _, value := range []definition.Value{
		named.Full(), viewed.Full(), viewed.Encode(definition.Tree{"id": definition.Unknown, "parts": definition.Tree{"a": nil, "b": definition.Unknown}}),
	} {
		of := named
		if definition.FieldsOf(value)["parts"].Type().Is(tftypes.Map{}) {
			of = viewed
		}
		if again := of.Encode(definition.TreeOf(value)); !definition.Equal(again, value) {
			t.Errorf("%s becomes %s", value, again)
		}
	}
}
