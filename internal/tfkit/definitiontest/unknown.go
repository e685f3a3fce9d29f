package definitiontest

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// UnknownPlans are plans of an object before all of its configuration is known.
type UnknownPlans struct {
	// Generator draws the configurations.
	Generator func(unknowns bool) Generator
	// Options are those of the plans.
	Options definition.PlanOptions
	// Plan is what a configuration plans, that of the definition unless given.
	Plan func(config, prior definition.Value) definition.Value
	// Prior is the state that a create leads to, its plan without what is unknown
	// in it unless given.
	Prior func(t *rapid.T, config, planned definition.Value) definition.Value
	// Issues are those of a configuration. Valid says that there are to be none.
	Issues func(config definition.Value) []check.Issue
	Valid  bool
	// Late looks at the plan that is made once all is known.
	Late func(t *rapid.T, planned definition.Value)
}

// Check wants that with any part of a configuration unknown the plan of a create
// or of an update is legal, and that what it shows as known is what is planned
// once all is known.
func (p UnknownPlans) Check(t *testing.T) {
	d := p.Generator(false).Definition
	if p.Plan == nil {
		p.Plan = func(config, prior definition.Value) definition.Value { return d.Plan(config, prior, p.Options).Planned }
	}
	if p.Prior == nil {
		p.Prior = func(_ *rapid.T, _, planned definition.Value) definition.Value { return d.Filled(planned, d.Null()) }
	}
	rapid.Check(t, func(t *rapid.T) {
		prior := d.Null()
		if rapid.Bool().Draw(t, "update") {
			config := p.Generator(false).Config(t, "prior")
			prior = p.Prior(t, config, p.Plan(config, d.Null()))
		}
		planned := func(config definition.Value) definition.Value {
			planned := p.Plan(config, prior)
			Legal(t, d.ResourceSchema(), prior, config, planned)
			return planned
		}
		open := p.Generator(true).Configurations().Draw(t, "config").Tree
		early := planned(d.Encode(open))
		late := planned(d.Encode(p.Generator(true).Resolve(t, open).Tree))
		if at, ok := Conforms(early, late, "it"); !ok {
			t.Fatalf("planned something else than was done: %s", at)
		}
		if found := p.Issues(d.Encode(open)); p.Valid && len(found) > 0 {
			t.Fatalf("refused for what is unknown: %v", found)
		}
		if p.Late != nil {
			p.Late(t, late)
		}
	})
}
