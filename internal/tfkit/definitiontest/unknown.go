package definitiontest

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// UnknownPlans checks plans with partly unknown configurations.
type UnknownPlans struct {
	// Generator generates the configurations.
	Generator func(unknowns bool) Generator
	// Options are the options of the plans.
	Options definition.PlanOptions
	// Plan plans a configuration; nil: the definition does.
	Plan func(config, prior definition.Value) definition.Value
	// Prior returns the state after a create; nil: the plan with unknown values
	// resolved.
	Prior func(t *rapid.T, config, planned definition.Value) definition.Value
	// Issues returns the issues of a configuration. If Valid is set, there must
	// be none.
	Issues func(config definition.Value) []check.Issue
	Valid  bool
	// Late inspects the plan with everything known.
	Late func(t *rapid.T, planned definition.Value)
}

// Check checks that the plan of a create or update with unknown values is
// legal, and that its known values are the same in the plan with everything
// known.
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
			t.Fatalf("a known value of the plan changed: %s", at)
		}
		if found := p.Issues(d.Encode(open)); p.Valid && len(found) > 0 {
			t.Fatalf("refused because of unknown values: %v", found)
		}
		if p.Late != nil {
			p.Late(t, late)
		}
	})
}
