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

// drawn generates configurations of widgets.
func drawn(o *crud.Object[widget], unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: o.Definition, Fixed: tree{"domain_id": "alice"}, Unknowns: unknowns,
		Texts: map[string][]string{"limit": {"1", "1000m", "2"}, "widget_id": {"w"}, "title": {"a", "b"}, "secret": {"x", "y"}},
	}
}

// property has a widget server and what crudtest.Property needs.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t, false)
	return b, crudtest.Property{
		Bare: b.Server, Fast: crudtest.NewFastServer(t, b.object, &clients.Clients{}),
		Generator: func(unknowns bool) definitiontest.Generator { return drawn(b.object, unknowns) },
		Remove:    func() { clear(b.server.has) },
	}
}

// TestPropertyPlans: for every pair of configurations the plan is legal, an
// apply does what it shows, and the next plan is empty.
func TestPropertyPlans(t *testing.T) {
	_, p := property(t)
	p.Sequence(t, nil)
}

// TestPropertyUnknown: known values in a plan with unknown values stay the same
// in the plan of the apply.
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

// TestShortcutsAgree: responses with and without shortcuts are equal.
func TestShortcutsAgree(t *testing.T) {
	_, p := property(t)
	p.ShortcutsAgree(t, nil)
}

// TestShortcutsAreTaken: shortcuts answer every request of a plan without
// changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	crudtest.NewFastServer(t, b.object, &clients.Clients{}).CheckFastPath(t, b.configured(tree{"size": 5, "limit": "0.1"}))
}
