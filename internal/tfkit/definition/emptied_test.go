package definition_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// TestEmptiedBesideUnknown: a value that is configured as empty, where the state has
// null, is planned the same whether or not a value beside it is known.
func TestEmptiedBesideUnknown(t *testing.T) {
	t.Parallel()
	fields := []definition.Attribute{
		{Name: "flag", Type: definition.Bool, Presence: definition.Optional},
		{Name: "note", Presence: definition.Optional},
	}
	d := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "object", Type: definition.Object, Presence: definition.Nullable, Attributes: fields},
		{Name: "list", Type: definition.ObjectList, Presence: definition.Optional, Attributes: fields},
		{Name: "map", Type: definition.ObjectMap, Presence: definition.Optional, Attributes: fields},
	}})
	for name, in := range map[string]func(definition.Tree) any{
		"object": func(o definition.Tree) any { return o },
		"list":   func(o definition.Tree) any { return []any{o} },
		"map":    func(o definition.Tree) any { return definition.Tree{"a": o} },
	} {
		config := func(note any) definition.Value {
			return d.Encode(definition.Tree{name: in(definition.Tree{"flag": false, "note": note})})
		}
		prior := d.Encode(definition.Tree{name: in(definition.Tree{"flag": nil, "note": nil})})
		early, late := d.Plan(config(definition.Unknown), prior, definition.PlanOptions{}), d.Plan(config(nil), prior, definition.PlanOptions{})
		definitiontest.Legal(t, d.ResourceSchema(), prior, config(nil), late.Planned)
		if at, ok := definitiontest.Conforms(early.Planned, late.Planned, name); !ok {
			t.Errorf("%s is planned as %s, then as %s", at, early.Planned, late.Planned)
		}
		if len(late.Sent) > 0 {
			t.Errorf("%s: %v is sent", name, late.Sent)
		}
		if again := d.Plan(config(nil), late.Planned, definition.PlanOptions{}); !again.Unchanged {
			t.Errorf("%s: the second plan is not empty: %s", name, again.Planned)
		}
	}
}
