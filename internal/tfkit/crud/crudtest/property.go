package crudtest

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// Property has what the properties of an object on a server are checked with.
type Property struct {
	// Bare serves the object by the framework alone, Fast with its shortcuts.
	Bare, Fast *Server
	// Generator draws configurations, all of the same id.
	Generator func(unknowns bool) definitiontest.Generator
	// Usual draws a configuration of the kind that is in use; where it is given, a
	// third of the configurations are its.
	Usual func(t *rapid.T) definition.Value
	// Valid says that what is drawn is valid and can be applied, unless any text is
	// let be empty.
	Valid bool
	// Remove removes the object behind Terraform's back.
	Remove func()
}

// Sequence wants that, whatever the configuration and whatever it was before, the
// plan is legal, it is applied, reads back as planned, and the next plan is empty.
// each looks at what was applied; it may be nil.
func (p Property) Sequence(t *testing.T, each func(t *rapid.T, config definition.Value, state State)) {
	rapid.Check(t, func(t *rapid.T) {
		p.Remove()
		state := p.Bare.None()
		for i := range 3 {
			config, refused := p.config(t, fmt.Sprint("config ", i))
			if refused {
				continue
			}
			_, planned := p.Bare.Plan(t, config, state)
			definitiontest.Legal(t, p.Generator(false).Definition.ResourceSchema(), state.Value, config, planned)
			state, _ = p.Bare.Settled(t, config, state)
			if each != nil {
				each(t, config, state)
			}
		}
	})
}

// ShortcutsAgree wants that, whatever the configuration, the state and the
// server, the answers with and without the shortcuts are the same, and what was
// applied plans empty. drift changes the object behind Terraform's back; it may
// be nil.
func (p Property) ShortcutsAgree(t *testing.T, drift func(t *rapid.T, state State)) {
	rapid.Check(t, func(t *rapid.T) {
		p.Remove()
		agree := func(config definition.Value, state State) { Agree(t, p.Bare, p.Fast, config, state) }
		config, refused := p.config(t, "config")
		if refused {
			agree(config, p.Bare.None())
			return
		}
		state, said := p.Bare.Apply(t, config, p.Bare.None())
		if state.Value.IsNull() || strings.Contains(said, "ERROR") {
			t.Fatal("apply says " + said)
		}
		agree(config, state)
		_, state = p.Bare.Read(t, state)
		if plan, again := p.Bare.Plan(t, config, state); !again.Equal(state.Value) {
			t.Fatalf("the next plan is\n%s\nfor\n%s\n%s", again, state.Value, protocol.Messages(plan.Diagnostics))
		}
		agree(p.Generator(rapid.Bool().Draw(t, "unknowns")).Config(t, "other"), state)
		if drift != nil && rapid.Bool().Draw(t, "drift") {
			drift(t, state)
			agree(config, state)
		}
	})
}

// config draws a configuration, and reports whether it is refused before anything
// is sent.
func (p Property) config(t *rapid.T, label string) (config definition.Value, refused bool) {
	generator, valid := p.Generator(false), p.Valid
	switch rapid.SampledFrom([]string{"usual", "drawn", "empty"}).Draw(t, "kind of "+label) {
	case "usual":
		if p.Usual != nil {
			config = p.Usual(t)
			return config, p.Bare.Refused(t, config) != ""
		}
	case "empty":
		generator.Empty, valid = true, false
	}
	config = generator.Config(t, label)
	return config, !valid && p.Bare.Refused(t, config) != ""
}
