package crud_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// drawn draws configurations of widgets.
func drawn(o *crud.Object[widget], unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: o.Definition, Fixed: tree{"domain_id": "alice"}, Unknowns: unknowns,
		Texts: map[string][]string{"limit": {"1", "1000m", "2"}, "widget_id": {"w"}, "title": {"a", "b"}, "secret": {"x", "y"}},
	}
}

// TestPropertyPlans: whatever the configuration, and whatever it was before:
// the plan is legal, an apply does what it shows, and the next plan is empty.
func TestPropertyPlans(t *testing.T) {
	b := newBench(t, false)
	schema := b.object.Definition.ResourceSchema()
	rapid.Check(t, func(t *rapid.T) {
		state := b.None()
		clear(b.server.has)
		for range 3 {
			config := b.object.Definition.Encode(drawn(b.object, false).Configurations().Draw(t, "config").Tree)
			if answer := b.Validate(t, config); len(answer.Diagnostics) > 0 {
				continue
			}
			_, planned := b.Plan(t, config, state)
			definitiontest.Legal(t, schema, state.Value, config, planned)
			next, said := b.Apply(t, config, state)
			if next.Value.IsNull() || !next.Value.IsFullyKnown() {
				t.Fatalf("the state is %s: %s", next.Value, said)
			}
			answer, read := b.Read(t, next)
			if len(answer.Diagnostics) > 0 || !read.Value.Equal(next.Value) {
				t.Fatalf("refreshed\n%s\nwas\n%s", read.Value, next.Value)
			}
			if _, again := b.Plan(t, config, read); !again.Equal(read.Value) {
				t.Fatalf("the next plan is\n%s\nfor\n%s", again, read.Value)
			}
			state = read
		}
	})
}

// TestPropertyUnknown: what a plan with unknown parts shows as known is what
// the apply then plans.
func TestPropertyUnknown(t *testing.T) {
	b := newBench(t, false)
	schema := b.object.Definition.ResourceSchema()
	rapid.Check(t, func(t *rapid.T) {
		clear(b.server.has)
		state := b.None()
		first := b.object.Definition.Encode(drawn(b.object, false).Configurations().Draw(t, "first").Tree)
		if len(b.Validate(t, first).Diagnostics) == 0 && rapid.Bool().Draw(t, "exists") {
			state, _ = b.Apply(t, first, state)
		}
		open := drawn(b.object, true).Configurations().Draw(t, "config").Tree
		early := b.object.Definition.Plan(b.object.Definition.Encode(open), state.Value, definition.PlanOptions{}).Planned
		definitiontest.Legal(t, schema, state.Value, b.object.Definition.Encode(open), early)
		known := b.object.Definition.Encode(drawn(b.object, true).Resolve(t, open).Tree)
		late := b.object.Definition.Plan(known, state.Value, definition.PlanOptions{}).Planned
		if at, ok := definitiontest.Conforms(early, late, "widget"); !ok {
			t.Fatalf("planned something else than is done: %s\n%s\n%s", at, early, late)
		}
	})
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	server := &widgets{has: map[string]widget{}}
	o := crud.New(spec(server))
	c := &clients.Clients{}
	bare, fast := crudtest.NewServer(t, o, c), crudtest.NewFastServer(t, o, c)
	rapid.Check(t, func(t *rapid.T) {
		clear(server.has)
		config := o.Definition.Encode(drawn(o, false).Configurations().Draw(t, "config").Tree)
		state, _ := bare.Apply(t, config, bare.None())
		crudtest.Agree(t, bare, fast, config, state)
		other := o.Definition.Encode(drawn(o, rapid.Bool().Draw(t, "unknowns")).Configurations().Draw(t, "other").Tree)
		crudtest.Agree(t, bare, fast, other, state)
	})
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	crudtest.NewFastServer(t, b.object, &clients.Clients{}).TakesShortcuts(t, b.configured(tree{"size": 5, "limit": "0.1"}))
}
