package crudtest

import (
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// ApplyAndVerify applies a configuration and checks that there is no error and that a
// refresh and a plan after it change nothing. It returns the state and the
// warnings.
func (s *Server) ApplyAndVerify(t TB, config definition.Value, prior State) (state State, said string) {
	t.Helper()
	if response := s.Validate(t, config); protocol.Failed(response.Diagnostics) {
		t.Fatal("validation: " + protocol.Messages(response.Diagnostics))
	}
	state, said = s.Apply(t, config, prior)
	if state.Value.IsNull() || !state.Value.IsFullyKnown() || strings.Contains(said, "ERROR") {
		t.Fatal("apply: state " + state.Value.String() + ", diagnostics " + said)
	}
	s.CheckNoDrift(t, config, state)
	return state, said
}

// CheckNoDrift checks that a refresh and a plan change nothing and return no
// diagnostics.
func (s *Server) CheckNoDrift(t TB, config definition.Value, state State) {
	t.Helper()
	if read := s.CheckEmptyPlan(t, config, state); !read.Value.Equal(state.Value) {
		t.Errorf("refreshed\n%s\nwas\n%s", read.Value, state.Value)
	}
}

// CheckEmptyPlan checks that a refresh and the plan after it return no
// diagnostics, and that the plan is empty. It returns the refreshed state,
// which may have new values of the server.
func (s *Server) CheckEmptyPlan(t TB, config definition.Value, state State) State {
	t.Helper()
	response, read := s.Read(t, state)
	plan, planned := s.Plan(t, config, read)
	if len(response.Diagnostics) > 0 || protocol.Failed(plan.Diagnostics) || len(plan.RequiresReplace) > 0 || !planned.Equal(read.Value) {
		t.Errorf("the next plan is not empty:\n%s\nstate:\n%s\n%s%s", planned, read.Value, protocol.Messages(response.Diagnostics), protocol.Messages(plan.Diagnostics))
	}
	return read
}

// ApplyWithoutWarnings is ApplyAndVerify; any diagnostic fails the test.
func (s *Server) ApplyWithoutWarnings(t TB, config definition.Value, prior State) State {
	t.Helper()
	state, said := s.ApplyAndVerify(t, config, prior)
	if said != "" {
		t.Fatal("apply: " + said)
	}
	return state
}

// Imported returns the state of an import without diagnostics.
func (s *Server) Imported(t protocol.Failer, id string) State {
	t.Helper()
	state, said := s.Import(t, id)
	if said != "" {
		t.Fatal("import: " + said)
	}
	return state
}

// ReplacementDiagnostics plans a replacement as Terraform does, and returns all
// diagnostics: the second request has no state, and the private state of the first
// response.
func (s *Server) ReplacementDiagnostics(t protocol.Failer, config definition.Value, state State) string {
	t.Helper()
	first, _ := s.Plan(t, config, state)
	none := s.None()
	none.Private = first.PlannedPrivate
	second, _ := s.Plan(t, config, none)
	return Messages(first.Diagnostics) + Messages(second.Diagnostics)
}

// DeleteTwice deletes an object and checks that a refresh finds it deleted and a
// second delete succeeds.
func (s *Server) DeleteTwice(t TB, state State) {
	t.Helper()
	for range 2 {
		if gone, said := s.Delete(t, state); !gone.Value.IsNull() || said != "" {
			t.Errorf("delete: state %s, diagnostics %s", gone.Value, said)
		}
	}
	if response, read := s.Read(t, state); !read.Value.IsNull() || len(response.Diagnostics) > 0 {
		t.Errorf("the deleted object is read as %s\n%s", read.Value, protocol.Messages(response.Diagnostics))
	}
}

// CheckFastPath applies a configuration to a server with shortcuts, and checks
// that they answer every request of a plan without changes.
func (s *Server) CheckFastPath(t TB, config definition.Value) {
	t.Helper()
	state := s.ApplyWithoutWarnings(t, config, s.None())
	clear(s.Taken)
	s.Validate(t, config)
	s.CheckNoDrift(t, config, state)
	for _, name := range []string{"validate", "read", "plan"} {
		if s.Taken[name] != 1 {
			t.Errorf("the shortcut for %s answered %d requests, want 1", name, s.Taken[name])
		}
	}
}

// Changes returns the top-level attributes that a plan changes, and whether it
// is a replacement.
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

// PlanErrors returns the diagnostics of the validation or, if there are none, of
// the plan of a create.
func (s *Server) PlanErrors(t protocol.Failer, config definition.Value) string {
	t.Helper()
	if response := s.Validate(t, config); protocol.Failed(response.Diagnostics) {
		return protocol.Messages(response.Diagnostics)
	}
	plan, _ := s.Plan(t, config, s.None())
	return protocol.Messages(plan.Diagnostics)
}
