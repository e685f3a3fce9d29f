package crudtest

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Settled applies a configuration, and wants no error, then a refresh and a plan
// that change nothing. It returns the warnings as well.
func (s *Server) Settled(t TB, config definition.Value, prior State) (state State, said string) {
	t.Helper()
	if answer := s.Validate(t, config); protocol.Failed(answer.Diagnostics) {
		t.Fatal("validate says " + protocol.Messages(answer.Diagnostics))
	}
	plan, _ := s.Plan(t, config, prior)
	if protocol.Failed(plan.Diagnostics) {
		t.Fatal("plan says " + protocol.Messages(plan.Diagnostics))
	}
	state, said = s.Apply(t, config, prior)
	if state.Value.IsNull() || !state.Value.IsFullyKnown() {
		t.Fatal("apply leaves " + state.Value.String() + " and says " + said)
	}
	s.Unchanged(t, config, state)
	return state, said
}

// Unchanged wants a refresh and a plan that change nothing and say nothing.
func (s *Server) Unchanged(t TB, config definition.Value, state State) {
	t.Helper()
	answer, read := s.Read(t, state)
	if len(answer.Diagnostics) > 0 || !read.Value.Equal(state.Value) {
		t.Errorf("refreshed\n%s\nwas\n%s\n%s", read.Value, state.Value, protocol.Messages(answer.Diagnostics))
	}
	plan, planned := s.Plan(t, config, read)
	if protocol.Failed(plan.Diagnostics) || len(plan.RequiresReplace) > 0 || !planned.Equal(read.Value) {
		t.Errorf("the next plan is\n%s\nfor\n%s\n%s", planned, read.Value, protocol.Messages(plan.Diagnostics))
	}
}

// TakesShortcuts applies a configuration to a server with shortcuts, and wants
// what comes with every plan that changes nothing answered by them.
func (s *Server) TakesShortcuts(t TB, config definition.Value) {
	t.Helper()
	state, said := s.Settled(t, config, s.None())
	if said != "" {
		t.Fatal("apply says " + said)
	}
	clear(s.Taken)
	s.Validate(t, config)
	s.Unchanged(t, config, state)
	for _, name := range []string{"validate", "read", "plan"} {
		if s.Taken[name] != 1 {
			t.Errorf("%s was answered by its shortcut %d times, want 1", name, s.Taken[name])
		}
	}
}

// Changes are the top attributes in which a plan differs from the state, and
// whether it replaces.
func (s *Server) Changes(t protocol.Failer, config definition.Value, state State) (names []string, replaces bool) {
	t.Helper()
	plan, planned := s.Plan(t, config, state)
	before := definition.FieldsOf(state.Value)
	for name, value := range definition.FieldsOf(planned) {
		if !value.Equal(before[name]) {
			names = append(names, name)
		}
	}
	return names, len(plan.RequiresReplace) > 0
}

// Refused is what validate or, where that has nothing to say, a plan of the
// create says to a configuration.
func (s *Server) Refused(t protocol.Failer, config definition.Value) string {
	t.Helper()
	if answer := s.Validate(t, config); protocol.Failed(answer.Diagnostics) {
		return protocol.Messages(answer.Diagnostics)
	}
	plan, _ := s.Plan(t, config, s.None())
	return protocol.Messages(plan.Diagnostics)
}
