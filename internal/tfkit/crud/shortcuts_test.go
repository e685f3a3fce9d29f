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

// property is a widget with what its properties are checked with.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t, false)
	return b, crudtest.Property{
		Bare: b.Server, Fast: crudtest.NewFastServer(t, b.object, &clients.Clients{}),
		Generator: func(unknowns bool) definitiontest.Generator { return drawn(b.object, unknowns) },
		Remove:    func() { clear(b.server.has) },
	}
}

// TestPropertyPlans: whatever the configuration, and whatever it was before:
// the plan is legal, an apply does what it shows, and the next plan is empty.
func TestPropertyPlans(t *testing.T) {
	_, p := property(t)
	p.Sequence(t, nil)
}

// TestPropertyUnknown: what a plan with unknown parts shows as known is what
// the apply then plans.
func TestPropertyUnknown(t *testing.T) {
	b, p := property(t)
	definitiontest.UnknownPlans{
		Generator: p.Generator, Issues: b.object.Issues,
		Prior: func(t *rapid.T, config, _ definition.Value) definition.Value {
			p.Remove()
			state, _ := b.Apply(t, config, b.None())
			return state.Value
		},
	}.Check(t)
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	_, p := property(t)
	p.ShortcutsAgree(t, nil)
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	crudtest.NewFastServer(t, b.object, &clients.Clients{}).TakesShortcuts(t, b.configured(tree{"size": 5, "limit": "0.1"}))
}
