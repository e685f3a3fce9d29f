package crudtest

import (
	"slices"

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
	if read := s.PlansNothing(t, config, state); !read.Value.Equal(state.Value) {
		t.Errorf("refreshed\n%s\nwas\n%s", read.Value, state.Value)
	}
}

// PlansNothing wants a refresh that says nothing and a plan after it that changes
// nothing. It returns the refreshed state, to which the server may have added.
func (s *Server) PlansNothing(t TB, config definition.Value, state State) State {
	t.Helper()
	answer, read := s.Read(t, state)
	plan, planned := s.Plan(t, config, read)
	if len(answer.Diagnostics) > 0 || protocol.Failed(plan.Diagnostics) || len(plan.RequiresReplace) > 0 || !planned.Equal(read.Value) {
		t.Errorf("the next plan is\n%s\nfor\n%s\n%s%s", planned, read.Value, protocol.Messages(answer.Diagnostics), protocol.Messages(plan.Diagnostics))
	}
	return read
}

// Quiet is Settled without a message.
func (s *Server) Quiet(t TB, config definition.Value, prior State) State {
	t.Helper()
	state, said := s.Settled(t, config, prior)
	if said != "" {
		t.Fatal("apply says " + said)
	}
	return state
}

// Imported is the state after an import that has nothing to say.
func (s *Server) Imported(t protocol.Failer, id string) State {
	t.Helper()
	state, said := s.Import(t, id)
	if said != "" {
		t.Fatal("the import says " + said)
	}
	return state
}

// ImportsAs wants an import to give a state.
func (s *Server) ImportsAs(t TB, id string, state State) {
	t.Helper()
	if imported := s.Imported(t, id); !imported.Value.Equal(state.Value) {
		t.Errorf("imported\n%s\nwant\n%s", imported.Value, state.Value)
	}
}

// Gone deletes an object, and wants it to be gone for a second delete and for a
// refresh.
func (s *Server) Gone(t TB, state State) {
	t.Helper()
	for range 2 {
		if gone, said := s.Delete(t, state); !gone.Value.IsNull() || said != "" {
			t.Errorf("the delete leaves %s and says %s", gone.Value, said)
		}
	}
	if answer, read := s.Read(t, state); !read.Value.IsNull() || len(answer.Diagnostics) > 0 {
		t.Errorf("gone, and read as %s\n%s", read.Value, protocol.Messages(answer.Diagnostics))
	}
}

// TakesShortcuts applies a configuration to a server with shortcuts, and wants
// what comes with every plan that changes nothing answered by them.
func (s *Server) TakesShortcuts(t TB, config definition.Value) {
	t.Helper()
	state := s.Quiet(t, config, s.None())
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
	slices.Sort(names)
	return names, len(plan.RequiresReplace) > 0
}

// Drifted wants a refresh to find what somebody else has changed: the next plan
// changes exactly these attributes, in place, and its apply takes it back.
func (s *Server) Drifted(t TB, config definition.Value, state State, want ...string) State {
	t.Helper()
	_, drifted := s.Read(t, state)
	if changes, replaces := s.Changes(t, config, drifted); !slices.Equal(changes, want) || replaces {
		t.Errorf("the plan changes %v, replaces %t, want %v", changes, replaces, want)
	}
	state, _ = s.Settled(t, config, drifted)
	return state
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
