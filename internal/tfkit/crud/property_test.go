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

// TestProperties: for every pair of configurations an apply does what its plan shows, and
// shortcuts respond as the framework does.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	p := crudtest.Property{
		Bare: b.Server, Fast: crudtest.NewFastServer(t, b.object, &clients.Clients{}), Issues: b.object.Issues, Full: b.configured(tree{"size": 5, "limit": "0.1"}),
		Generator: func(unknowns bool) definitiontest.Generator { return drawn(b.object, unknowns) },
		Remove:    func() { clear(b.server.has) },
	}
	p.Prior = func(t *rapid.T, config, _ definition.Value) definition.Value {
		p.Remove()
		state, _ := b.Apply(t, config, b.None())
		return state.Value
	}
	p.Check(t)
}
