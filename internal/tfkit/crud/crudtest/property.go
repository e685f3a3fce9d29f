package crudtest

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// Property checks properties of an object against a server.
type Property struct {
	// Bare serves the object without shortcuts, Fast with them.
	Bare, Fast *Server
	// Issues are the issues of a configuration, and Options the options of its plans.
	Issues  func(config definition.Value) []check.Issue
	Options definition.PlanOptions
	// Plan plans a configuration with unknown values; nil: the definition does.
	Plan func(config, prior definition.Value) definition.Value
	// OneIn limits what takes long: only one in so many of rapid's cases is checked with the
	// servers; 0: all.
	OneIn int
	// Full is a configuration whose plan without changes the shortcuts make alone.
	Full definition.Value
	// Generator generates configurations, all with the same id.
	Generator func(unknowns bool) definitiontest.Generator
	// Usual generates a configuration as users write it. If set, it provides
	// a third of all configurations.
	Usual func(t *rapid.T) definition.Value
	// Valid declares that every generated configuration is valid and can be
	// applied. It does not apply to those generated with Generator.Empty.
	Valid bool
	// MayFail is in the error of an apply that the server may refuse, although the
	// plan accepts it; "" if there is none.
	MayFail string
	// Warns is in every warning of an apply; "" if there are none.
	Warns string
	// Remove deletes the object outside of Terraform, and Drift changes it; Drift may be nil.
	Remove func()
	Drift  func(t *rapid.T, state State)
	// Each inspects every configuration that a sequence applies; may be nil.
	Each func(t *rapid.T, config definition.Value, state State)
	// Prior is the state after a create, for plans with unknown values; nil: the plan.
	Prior func(t *rapid.T, config, planned definition.Value) definition.Value
}

// Check checks all properties.
func (p Property) Check(t *testing.T) {
	t.Helper()
	p.Generator(false).CheckSpellings(t)
	t.Run("sequence", p.sequence)
	t.Run("unknown values", definitiontest.UnknownPlans{
		Generator: p.Generator, Options: p.Options, Plan: p.Plan, Prior: p.Prior, Issues: p.Issues, Valid: p.Valid,
	}.Check)
	t.Run("shortcuts", p.shortcutsAgree)
	t.Run("plan without changes", func(t *testing.T) {
		p.Remove()
		p.Fast.CheckFastPath(t, p.Full)
	})
}

// oneIn checks a property for one in OneIn of rapid's cases. Once one has failed all are
// checked, since rapid then looks for a smaller one.
func (p Property) oneIn(t *testing.T, property func(t *rapid.T)) {
	t.Helper()
	cases, failed := 0, false
	rapid.Check(t, func(t *rapid.T) {
		if cases++; p.OneIn > 1 && cases%p.OneIn != 1 && !failed {
			return
		}
		defer func() { failed = failed || t.Failed() }()
		property(t)
	})
}

// sequence checks for every pair of configurations, one applied after the
// other: the plan is legal, the apply does what was planned, a refresh returns that, and the
// next plan is empty.
func (p Property) sequence(t *testing.T) {
	p.oneIn(t, func(t *rapid.T) {
		p.Remove()
		state := p.Bare.None()
		for i := range 3 {
			config, refused := p.config(t, fmt.Sprint("config ", i))
			if refused {
				continue
			}
			plan, planned := p.Bare.Plan(t, config, state)
			replaces := p.Bare.Replaces(plan, state)
			definitiontest.Legal(t, p.Generator(false).Definition.ResourceSchema(), state.Value, config, planned)
			failed := false
			if p.MayFail == "" {
				var said string
				state, said = p.Bare.ApplyAndVerify(t, config, state)
				for line := range strings.Lines(said) {
					if p.Warns == "" || !strings.Contains(line, p.Warns) {
						t.Fatal("apply: " + said)
					}
				}
			} else if state, failed = p.applyOrFail(t, config, state); !failed {
				p.Bare.CheckNoDrift(t, config, state)
			}
			if at, ok := definitiontest.Conforms(planned, state.Value, "it"); !ok && !failed && !replaces {
				t.Fatalf("the apply does not do what was planned: %s", at)
			}
			if p.Each != nil && !failed {
				p.Each(t, config, state)
			}
		}
	})
}

// applyOrFail applies a configuration; failed reports the error MayFail.
func (p Property) applyOrFail(t *rapid.T, config definition.Value, prior State) (state State, failed bool) {
	state, said := p.Bare.Apply(t, config, prior)
	failed = p.MayFail != "" && strings.Contains(said, p.MayFail)
	if !failed && (state.Value.IsNull() || strings.Contains(said, "ERROR")) {
		t.Fatal("apply: " + said)
	}
	return state, failed
}

// shortcutsAgree checks for every configuration, state and server that the
// responses with and without shortcuts are equal, also if the object is gone, and
// that the plan after an apply is empty.
func (p Property) shortcutsAgree(t *testing.T) {
	p.oneIn(t, func(t *rapid.T) {
		p.Remove()
		agree := func(config definition.Value, state State) { CompareResponses(t, p.Bare, p.Fast, config, state) }
		config, refused := p.config(t, "config")
		if refused {
			agree(config, p.Bare.None())
			return
		}
		state, failed := p.applyOrFail(t, config, p.Bare.None())
		if failed {
			return
		}
		agree(config, state)
		_, state = p.Bare.Read(t, state)
		if plan, again := p.Bare.Plan(t, config, state); !again.Equal(state.Value) {
			t.Fatalf("the next plan is not empty:\n%s\nstate:\n%s\n%s", again, state.Value, protocol.Messages(plan.Diagnostics))
		}
		generator := p.Generator(rapid.Bool().Draw(t, "unknowns"))
		generator.Empty = rapid.Bool().Draw(t, "perhaps refused")
		other := generator.Config(t, "other")
		agree(other, state)
		CompareEdited(t, p.Bare, p.Fast, p.Generator(false).Definition, config, other, state)
		if imported, _ := p.Bare.Import(t, definition.StringAt(state.Value, "id")); !imported.Value.IsNull() {
			agree(config, imported)
			agree(other, imported)
		}
		if p.Drift != nil && rapid.Bool().Draw(t, "drift") {
			p.Drift(t, state)
			agree(config, state)
		}
		p.Remove()
		agree(other, state)
	})
}

// config generates a configuration. refused reports whether validation or the
// plan refuses it.
func (p Property) config(t *rapid.T, label string) (config definition.Value, refused bool) {
	generator, valid := p.Generator(false), p.Valid
	switch rapid.SampledFrom([]string{"usual", "drawn", "empty"}).Draw(t, "kind of "+label) {
	case "usual":
		if p.Usual != nil {
			config = p.Usual(t)
			return config, p.Bare.PlanErrors(t, config) != ""
		}
	case "empty":
		generator.Empty, valid = true, false
	}
	config = generator.Config(t, label)
	return config, !valid && p.Bare.PlanErrors(t, config) != ""
}
