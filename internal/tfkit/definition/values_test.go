package definition_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestValuesStay: no function changes its arguments, although values share
// their attributes.
func TestValuesStay(t *testing.T) {
	t.Parallel()
	d := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "id", Type: definition.String, Presence: definition.Computed},
		{Name: "title", Type: definition.String, Presence: definition.Optional},
		{Name: "revision", Type: definition.String, Presence: definition.Computed, Volatile: true},
		{Name: "parts", Type: definition.ObjectList, Presence: definition.Optional, Attributes: []definition.Attribute{
			{Name: "name", Type: definition.String, Presence: definition.Required},
			{Name: "size", Type: definition.String, Presence: definition.ServerDefault},
		}},
	}})
	object := func(id, title string, size any) definition.Value {
		return d.Encode(definition.Tree{"id": id, "title": title, "revision": "1", "parts": []any{definition.Tree{"name": "a", "size": size}}})
	}
	prior := object("1", "old", "2")
	config := d.Encode(definition.Tree{"title": "new", "parts": []any{definition.Tree{"name": "b", "size": definition.Unknown}}})
	planned := d.Plan(config, d.Null(), definition.PlanOptions{}).Planned
	for name, use := range map[string]func(){
		"Plan":      func() { d.Plan(config, prior, definition.PlanOptions{}) },
		"Filled":    func() { d.Filled(planned, prior) },
		"Sendable":  func() { d.Sendable(planned) },
		"Generated": func() { d.Generated(planned) },
		"Derived":   func() { d.Derived(planned) },
		"Refreshed": func() { d.Refreshed(object("1", "x", "3"), prior) },
		"Complete":  func() { d.Complete(config) },
	} {
		values := map[string]definition.Value{"prior": prior, "config": config, "planned": planned}
		before := map[string]definition.Value{}
		for what, value := range values {
			before[what] = value.Copy()
		}
		use()
		for what, value := range values {
			if !value.Equal(before[what]) {
				t.Errorf("%s changed the %s:\n%s\nwas\n%s", name, what, value, before[what])
			}
		}
	}
}

// TestImportedLocal: after an import, a difference in Local attributes alone is no change; the
// first update takes them from the configuration.
func TestImportedLocal(t *testing.T) {
	t.Parallel()
	d := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "title"}, {Name: "force", Type: definition.Bool, Presence: definition.Optional, Local: true, Default: false},
	}})
	if !d.HasLocal() || definition.New(definition.Schema{Attributes: []definition.Attribute{{Name: "title"}}}).HasLocal() {
		t.Error("force is not known to be local, or title is said to be")
	}
	object := func(title string, force bool) definition.Value {
		return d.Encode(definition.Tree{"title": title, "force": force})
	}
	prior := object("old", false)
	for title, want := range map[string]definition.Value{"old": prior, "new": object("new", true)} {
		plan := d.Plan(object(title, true), prior, definition.PlanOptions{Imported: true})
		if !plan.Planned.Equal(want) || len(plan.Sent) > 0 != (title == "new") {
			t.Errorf("%s is planned as %s, and %v is sent", title, plan.Planned, plan.Sent)
		}
	}
}

// TestMistakesPanic: invalid declarations panic when the program starts.
func TestMistakesPanic(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][]definition.Attribute{
		"twice":               {{Name: "a"}, {Name: "a"}},
		"no name":             {{}},
		"twice by write-only": {{Name: "a", Presence: definition.Nullable, WriteOnly: true}, {Name: "a_wo"}},
		"required write-only": {{Name: "a", WriteOnly: true}},
		"write-only number":   {{Name: "a", Type: definition.Number, Presence: definition.Nullable, WriteOnly: true}},
		"write-only within computed": {{Name: "a", Type: definition.Object, Presence: definition.Optional, Attributes: []definition.Attribute{
			{Name: "b", Presence: definition.Nullable, WriteOnly: true},
		}}},
		"write-only in a map with other keys": {{Name: "a", Type: definition.ObjectMap, IdentifiedBy: []string{"b"}, Attributes: []definition.Attribute{
			{Name: "b"}, {Name: "c", Presence: definition.Nullable, WriteOnly: true},
		}}},
		"unknown type": {{Name: "a", Type: 99}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			definition.New(definition.Schema{Attributes: rows})
		}()
	}
}
